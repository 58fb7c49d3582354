"""The films of the handouts: pages that the kit makes of a launch (`labkit profile --film`), each in a frame of its own."""

from html import escape

from kit import HandoutsError, Kit

MOST_BYTES = 2_000_000

# As tall as its page, and no shorter from one step to the next, which would move what stands below it.
FIT = (
    "const f=this,b=f.contentDocument.body;let w=0,h=0;new ResizeObserver(()=>{"
    "if(f.clientWidth!==w){w=f.clientWidth;h=0}h=Math.max(h,b.offsetHeight);f.style.height=h+2+'px'}).observe(b)"
)


def film(kit: Kit, name: str, launch: str, title: str, caption: str) -> str:
    page = kit.film(f"handouts/examples/{name}.cu", launch)
    if len(page) > MOST_BYTES:
        raise HandoutsError(f"the film of {name}.cu has {len(page):,} bytes, more than {MOST_BYTES:,}")
    return (
        f'<figure class="lk-figure"><iframe class="lk-film" title="{escape(title)}" srcdoc="{escape(page)}" onload="{escape(FIT)}"></iframe>'
        f"<figcaption>{caption} From a run on the simulator: <code>handouts/examples/{name}.cu</code>. "
        "Click into it; then the space bar plays it, and the arrow keys step.</figcaption></figure>\n"
    )


def films(kit: Kit) -> dict[str, str]:
    reverse = "reverse<<<1, 64>>>(f32[64]:iota, f32[64]:poison)"
    tiles = "reverse<<<1, 64>>>(f32[192]:iota, f32[192]:poison, 192)"
    return {
        "film_barrier": film(kit, "reverse", reverse, "Film: a block of two warps reverses its 64 elements",
                             "Each warp needs what the other one stored."),
        "film_tiles": film(kit, "tiles", tiles, "Film: a block walks over tiles, with two barriers for each",
                           "The second barrier keeps a warp from filling the tile again while the other one still reads it."),
        "film_tiles_race": film(kit, "tiles_race", tiles, "Film: the same without the second barrier",
                                "Without the second barrier, the fast warp overwrites what the slow one has not read."),
        "film_tree": film(kit, "tree", "tree<<<1, 64>>>(i32[64]:iota, i32[1]:poison)",
                          "Film: a block of two warps adds up 64 numbers in a tree",
                          "The first row of the table: fewer and fewer lanes work, but until the last step both warps take part."),
        "film_copy_race": film(kit, "copy_race", reverse, "Film: asynchronous copies without a barrier",
                               "Each thread waits for its own copy in line 9, but not for those of the other warp."),
    }

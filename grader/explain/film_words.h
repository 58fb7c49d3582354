// What happens in a step of a film, as a sentence: read by whoever cannot see the pictures, and the text of the page's table.
#pragma once
#include <cstddef>
#include <string>

#include "explain/lane_picture.h"
#include "observe/film.h"

namespace labkit::explain {

/// What the findings beside a film say of it.
struct FilmNames {
  std::string raced_place;  ///< "tile[33]"; "": not known
  std::string why_stopped;  ///< a sentence; "": not known
};

/// `picture`: of an access, else null.
std::string film_step_text(const observe::Film& film, std::size_t step, const LanePicture* picture,
                           const FilmNames& names);

/// Which warps, and why in this order: "The first 4 of the 8 warps of block (4,4,0), in ...".
std::string film_order_text(const observe::Film& film);

/// What a step is, and which are left out.
std::string film_scope_text(const observe::Film& film);

}  // namespace labkit::explain

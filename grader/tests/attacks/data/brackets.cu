// A megabyte of calls whose brackets nothing closes, for a reader that looks for the end of each.
@BRACKETS@

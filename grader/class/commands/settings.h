// Names of what the class commands keep in a gradebook. publish() has its own.
#pragma once

namespace labkit::course {

inline constexpr const char* kDeviceSetting = "device";  ///< "sim", or a GPU's name
inline constexpr const char* kSeedSetting = "seed";      ///< decimal
/// With the lab's id after it: under what the lab's reference solution was graded (course/pages.h).
inline constexpr const char* kReferenceConditionsSetting = "reference conditions ";
inline constexpr const char* kRosterSetting = "roster";           ///< the CSV as it was read
inline constexpr const char* kRosterNameSetting = "roster name";  ///< what its file was called
/// JSON: begun_at (seconds since 1970), to_do, jobs, labs, process: of the run that goes on or was last
inline constexpr const char* kRunSetting = "run";

}  // namespace labkit::course

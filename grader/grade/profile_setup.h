// Launches of `labkit profile`, made ready: what is written of their parameters, and the arrays that they share. Private to grade/.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "grade/prepare.h"
#include "grade/profile.h"
#include "ptx/module.h"

namespace labkit::grade {

/// Throws std::invalid_argument naming the first argument that does not fit the kernel's parameters.
void require_fitting(const launch::ParsedLaunch& launch, const ptx::Function& function);

/// The arrays of all launches, by name.
class Arrays {
 public:
  /// Both must outlive it. `source`: of the file, for the names of parameters.
  Arrays(const ProfileRequest& request, const std::string& source)
      : request_(request), source_(source) {}

  /// Makes those that the launch is the first to have. Throws std::invalid_argument for a name of none.
  LaunchSetup setup_of(const launch::ParsedLaunch& launch, const ptx::Function& function);
  /// What a launch has left in them.
  void take(const LaunchSetup& setup, const device::Outcome& outcome);
  const std::map<std::string, launch::Buffer>& all() const { return arrays_; }

 private:
  std::string make(const launch::ParsedArgument& argument, std::string_view parameter,
                   const std::string& kernel, std::size_t i);

  const ProfileRequest& request_;
  const std::string& source_;
  std::map<std::string, launch::Buffer> arrays_;
  std::size_t before_ = 0;  ///< arguments of earlier launches
};

}  // namespace labkit::grade

// review.txt: what wants a teacher's eye, in plain sentences. Private to publish.
#pragma once
#include <string>
#include <vector>

#include "course/exports.h"
#include "course/similar.h"

namespace labkit::course {

struct Review {
  std::string text;
  std::size_t items = 0;
};
/// `uploads`: what the exports have to say, one sentence each.
Review review_text(const Gradebook& book, const Report& report,
                   const std::vector<SimilarPair>& similar,
                   const std::vector<std::string>& uploads);

}  // namespace labkit::course

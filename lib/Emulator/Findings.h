// Findings.h - findings of a run, one for each pair of sites
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_EMULATOR_FINDINGS_H
#define TILE_EMULATOR_FINDINGS_H

#include "tile/Emulator/Machine.h"

#include <map>
#include <tuple>

namespace tile::emulator {

/// The findings of the blocks of one host thread, or of all. If there are
/// several findings of one kind at the same sites, the first one of the first
/// block is kept and the others are counted, so that the result does not depend
/// on which host thread ran which block.
class Findings {
public:
  /// Counts one more finding and returns true if there is already a finding of
  /// this kind at these sites, of this or an earlier block. Otherwise returns
  /// false, and the caller must add the finding.
  bool countKnown(FindingKind kind, uint32_t site, uint32_t otherSite,
                  uint64_t block);
  void add(uint64_t block, Finding finding);

  /// Moves the findings of another host thread into this object.
  void merge(Findings &&other);

  /// Returns the first `most` findings in the order of their blocks, with their
  /// texts. Adds the number of further findings to `dropped`.
  std::vector<Finding> take(const Kernel &kernel, unsigned most,
                            uint64_t &dropped);

private:
  using Key = std::tuple<FindingKind, uint32_t, uint32_t>;
  struct Kept {
    uint64_t block, order;
    Finding finding;
  };
  static Key getKey(const Finding &finding);
  void insert(Kept entry);

  std::map<Key, Kept> kept;
  uint64_t order = 0;
};

/// Returns the report of a finding (Finding::text).
std::string describe(const Finding &finding, const Kernel &kernel);

/// Returns, for example, "(1, 2, 3)".
std::string toText(const Dimensions &dimensions);

/// Returns, for example, "thread (1, 0, 0) of block (0, 0, 0) (warp 0, lane
/// 1)".
std::string toText(const ThreadId &thread);

} // namespace tile::emulator

#endif // TILE_EMULATOR_FINDINGS_H

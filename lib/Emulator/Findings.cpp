// Findings.cpp - findings of a run, one for each pair of sites
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Findings.h"

#include <algorithm>

using namespace tile::emulator;

//===----------------------------------------------------------------------===//
// Keeping
//===----------------------------------------------------------------------===//

Findings::Key Findings::getKey(const Finding &finding) {
  return {finding.kind, finding.party.site,
          finding.hasOther ? finding.other.site : kNoSite};
}

bool Findings::countKnown(FindingKind kind, uint32_t site, uint32_t otherSite,
                          uint64_t block) {
  auto known = kept.find({kind, site, otherSite});
  if (known == kept.end() || known->second.block > block)
    return false;
  ++known->second.finding.count;
  return true;
}

void Findings::add(uint64_t block, Finding finding) {
  insert({block, order++, std::move(finding)});
}

void Findings::insert(Kept entry) {
  auto [known, isNew] = kept.try_emplace(getKey(entry.finding), entry);
  if (isNew)
    return;
  Kept &old = known->second;
  uint64_t count = old.finding.count + entry.finding.count;
  if (entry.block < old.block)
    old = std::move(entry);
  old.finding.count = count;
}

void Findings::merge(Findings &&other) {
  // All findings of a block come from one host thread, so their order is kept.
  for (auto &[key, entry] : other.kept)
    insert(std::move(entry));
}

std::vector<Finding> Findings::take(const Kernel &kernel, unsigned most,
                                    uint64_t &dropped) {
  std::vector<Kept *> entries;
  for (auto &[key, entry] : kept)
    entries.push_back(&entry);
  std::sort(entries.begin(), entries.end(), [](const Kept *a, const Kept *b) {
    return std::tie(a->block, a->order) < std::tie(b->block, b->order);
  });
  std::vector<Finding> findings;
  for (Kept *entry : entries) {
    if (findings.size() == most) {
      ++dropped;
      continue;
    }
    entry->finding.text = describe(entry->finding, kernel);
    findings.push_back(std::move(entry->finding));
  }
  return findings;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string_view tile::emulator::getName(FindingKind kind) {
  switch (kind) {
  case FindingKind::Race:
    return "race";
  case FindingKind::OutOfBounds:
    return "out of bounds";
  case FindingKind::ReadOnly:
    return "write to a read-only array";
  case FindingKind::Misaligned:
    return "misaligned";
  case FindingKind::Uninitialized:
    return "uninitialized";
  case FindingKind::CopyInFlight:
    return "copy in flight";
  case FindingKind::UnorderedMma:
    return "unordered product";
  case FindingKind::UnfencedProxy:
    return "missing proxy fence";
  case FindingKind::DivergentMma:
    return "divergent product";
  case FindingKind::DivergentBarrier:
    return "divergent barrier";
  case FindingKind::LyingMask:
    return "lying mask";
  case FindingKind::Deadlock:
    return "deadlock";
  case FindingKind::Assertion:
    return "assertion failed";
  case FindingKind::Trap:
    return "trap";
  case FindingKind::Stopped:
    return "stopped";
  case FindingKind::Unsupported:
    return "unsupported";
  case FindingKind::ZeroDivisor:
    return "division by zero";
  }
  return "";
}

std::string tile::emulator::toText(const Dimensions &dimensions) {
  return "(" + std::to_string(dimensions[0]) + ", " +
         std::to_string(dimensions[1]) + ", " + std::to_string(dimensions[2]) +
         ")";
}

std::string tile::emulator::toText(const ThreadId &thread) {
  return "thread " + toText(thread.thread) + " of block " +
         toText(thread.block) + " (warp " + std::to_string(thread.warp) +
         ", lane " + std::to_string(thread.lane) + ")";
}

static bool isAboutMemory(FindingKind kind) {
  switch (kind) {
  case FindingKind::Race:
  case FindingKind::OutOfBounds:
  case FindingKind::ReadOnly:
  case FindingKind::Misaligned:
  case FindingKind::Uninitialized:
  case FindingKind::CopyInFlight:
  case FindingKind::UnfencedProxy:
    return true;
  default:
    return false;
  }
}

static std::string getVerb(const Party &party) {
  switch (party.mode) {
  case AccessMode::Read:
    return party.isAsync ? "asynchronous read" : "read";
  case AccessMode::Write:
    return party.isAsync ? "asynchronous write" : "write";
  case AccessMode::ReadWrite:
    return "atomic";
  }
  return "";
}

/// Returns, for example, "ldmatrix of tile.matmul at matmul.mlir:12:5".
static std::string describeSite(uint32_t index, const Kernel &kernel) {
  if (index == kNoSite)
    return "has returned";
  const Site &site = kernel.sites[index];
  std::string text = site.instruction.empty() ? "site " + std::to_string(index)
                                              : site.instruction;
  if (!site.operation.empty())
    text += " of " + site.operation;
  if (!site.location.empty())
    text += " at " + site.location;
  return text;
}

static std::string describeParty(const Party &party, bool isAccess,
                                 const Kernel &kernel) {
  std::string who = toText(party.thread);
  if (isAccess)
    who = getVerb(party) + " by " + who;
  return who + ": " + describeSite(party.site, kernel);
}

std::string tile::emulator::describe(const Finding &finding,
                                     const Kernel &kernel) {
  std::string location = finding.party.site == kNoSite
                             ? ""
                             : kernel.sites[finding.party.site].location;
  std::string text = (location.empty() ? kernel.name : location) +
                     ": error: " + std::string(getName(finding.kind)) + ": " +
                     finding.message;
  bool isAccess = isAboutMemory(finding.kind);
  text += "\n  " + describeParty(finding.party, isAccess, kernel);
  if (finding.hasOther)
    text += "\n  " + std::string(isAccess ? "after " : "and ") +
            describeParty(finding.other, isAccess, kernel);
  if (isAccess) {
    char address[32];
    std::snprintf(address, sizeof address, "0x%llx",
                  static_cast<unsigned long long>(finding.address));
    text += "\n  " + std::to_string(finding.bytes) + " bytes at ";
    text += finding.array.empty()
                ? std::string("address ") + address
                : finding.array + " + " + std::to_string(finding.offset) +
                      " bytes (" + address + ")";
  }
  if (finding.count > 1)
    text += "\n  " + std::to_string(finding.count) + " times";
  return text;
}

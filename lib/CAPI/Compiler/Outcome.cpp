// Outcome.cpp - results of a run on the emulator, as records of C
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Outcome.h"

#include "llvm/ADT/StringRef.h"

using namespace tile;
using namespace tile::capi;

//===----------------------------------------------------------------------===//
// Profiles
//===----------------------------------------------------------------------===//

void ProfileList::add(const std::string &kernel, EmulatorProfile profile) {
  profiles.emplace_back(kernel, std::move(profile));
}

EmulatorProfile ProfileList::join(bool isFunction) const {
  if (!isFunction)
    return profiles.empty() ? EmulatorProfile() : profiles.front().second;
  EmulatorProfile all;
  for (const auto &[kernel, profile] : profiles) {
    all.text += "kernel '" + kernel + "':\n" + profile.text;
    all.json += std::string(all.json.empty() ? "" : ",\n") + "{\"kernel\": \"" +
                kernel + "\", \"profile\": " + profile.json + "}";
  }
  all.json = "[" + all.json + "]";
  return all;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

const char *Outcome::keep(std::string text) {
  return texts.emplace_back(std::move(text)).c_str();
}

/// Splits a location such as "matmul.mlir:12:5". Returns the file; for a text
/// of another form, returns the text and sets line and column to 0.
static std::string splitLocation(llvm::StringRef location, uint32_t &line,
                                 uint32_t &column) {
  auto [rest, last] = location.rsplit(':');
  auto [file, middle] = rest.rsplit(':');
  if (!middle.getAsInteger(10, line) && !last.getAsInteger(10, column))
    return file.str();
  line = column = 0;
  return location.str();
}

const tile_party *Outcome::addParty(const emulator::Party &party,
                                    const std::vector<emulator::Site> &sites) {
  tile_party record = {};
  record.struct_size = sizeof record;
  for (int axis = 0; axis < 3; ++axis) {
    record.block[axis] = party.thread.block[axis];
    record.thread[axis] = party.thread.thread[axis];
  }
  record.warp = party.thread.warp;
  record.lane = party.thread.lane;
  record.operation = record.file = record.instruction = "";
  if (party.site < sites.size()) {
    const emulator::Site &site = sites[party.site];
    record.operation = keep(site.operation);
    record.file =
        keep(splitLocation(site.location, record.line, record.column));
    record.instruction = keep(site.instruction);
    bool isAccess = site.memory.bytes != 0;
    record.reads = isAccess && party.mode != emulator::AccessMode::Write;
    record.writes = isAccess && party.mode != emulator::AccessMode::Read;
  }
  record.is_async = party.isAsync;
  return &parties.emplace_back(record);
}

void Outcome::addFindings(EmulatorFindings found,
                          const std::vector<emulator::Site> &sites) {
  for (emulator::Finding &finding : found.findings) {
    tile_finding record = {};
    record.struct_size = sizeof record;
    record.kind = keep(std::string(emulator::getName(finding.kind)));
    record.message = keep(std::move(finding.message));
    record.text = keep(std::move(finding.text));
    record.seed = found.seed;
    record.count = finding.count;
    record.array = keep(std::move(finding.array));
    record.offset = finding.offset;
    record.bytes = finding.bytes;
    record.party = addParty(finding.party, sites);
    if (finding.hasOther)
      record.other = addParty(finding.other, sites);
    records.push_back(&findings.emplace_back(record));
  }
}

//===----------------------------------------------------------------------===//
// Functions of C
//===----------------------------------------------------------------------===//

TILE_C_EXPORT tile_status tile_outcome_destroy(tile_outcome *outcome) {
  return removeHandle(outcome, Outcome::kKind);
}

TILE_C_EXPORT tile_status tile_outcome_get_profile(const tile_outcome *outcome,
                                                   const char **text,
                                                   const char **json) {
  if (text)
    *text = nullptr;
  if (json)
    *json = nullptr;
  std::shared_ptr<Outcome> found;
  if (tile_status status = findHandle(outcome, found))
    return status;
  if (!found->profile)
    return fail(TILE_STATUS_NOT_AVAILABLE,
                "expected the outcome of a run with a profile, found one "
                "without");
  if (text)
    *text = found->profile->text.c_str();
  if (json)
    *json = found->profile->json.c_str();
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status
tile_outcome_get_findings(const tile_outcome *outcome,
                          const tile_finding *const **findings, size_t *count) {
  if (tile_status status = resetOutput(findings, "findings"))
    return status;
  if (tile_status status = resetOutput(count, "count"))
    return status;
  std::shared_ptr<Outcome> found;
  if (tile_status status = findHandle(outcome, found))
    return status;
  *findings = found->getFindings().data();
  *count = found->getFindings().size();
  return TILE_STATUS_OK;
}

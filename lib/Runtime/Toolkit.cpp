// Toolkit.cpp - compiles candidates through the cache and takes the best.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Runtime/Toolkit.h"

#include <charconv>
#include <tuple>

namespace tile::runtime {

Result<std::shared_ptr<const Nvrtc>> Toolkit::nvrtc() {
  std::lock_guard lock(mutex);
  if (!openNvrtc)
    openNvrtc = Nvrtc::open(paths);
  return *openNvrtc;
}

Result<std::shared_ptr<const Driver>> Toolkit::driver() {
  std::lock_guard lock(mutex);
  if (!openDriver)
    openDriver = Driver::open(paths);
  return *openDriver;
}

static CacheKey keyOf(std::span<const Candidate> candidates, const CompileOptions &options, const Nvrtc &nvrtc) {
  CacheKey key;
  for (const Candidate &candidate : candidates) {
    key.texts.push_back(candidate.text);
    key.texts.push_back(candidate.info.serialize());
  }
  key.options = nvrtcOptions(options);
  key.nvrtcVersion = nvrtc.version();
  key.arch = options.arch;
  key.buildId = libraryBuildId();
  return key;
}

/// The parts of an entry, in order: index of the candidate, cubin, log, and one sentence for each candidate rejected.
static std::vector<std::string> toBlobs(const CompiledKernel &kernel) {
  std::vector<std::string> blobs = {std::to_string(kernel.candidate), kernel.info.serialize(), kernel.cubin,
                                    kernel.log};
  blobs.insert(blobs.end(), kernel.rejected.begin(), kernel.rejected.end());
  return blobs;
}

static std::optional<CompiledKernel> fromBlobs(const std::vector<std::string> &blobs, size_t candidateCount) {
  if (blobs.size() < 4)
    return std::nullopt;
  CompiledKernel kernel;
  const std::string &number = blobs[0];
  auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), kernel.candidate);
  bool isNumber = error == std::errc() && end == number.data() + number.size();
  if (!isNumber || kernel.candidate < 0 || kernel.candidate >= static_cast<int64_t>(candidateCount))
    return std::nullopt;
  Result<KernelInfo> info = KernelInfo::deserialize(blobs[1]);
  if (!info || blobs[2].empty())
    return std::nullopt;
  kernel.info = *info;
  kernel.cubin = blobs[2];
  kernel.log = blobs[3];
  kernel.facts = parseLog(kernel.log);
  kernel.rejected.assign(blobs.begin() + 4, blobs.end());
  kernel.isFromCache = true;
  return kernel;
}

static bool isClean(const LogFacts &facts) {
  return facts.notices.empty() && facts.spillBytes() == 0;
}

/// "candidate 0 spills 96 bytes; 2 notices: …".
static std::string rejection(size_t index, const LogFacts &facts) {
  std::string text = "candidate " + std::to_string(index) + " spills " + std::to_string(facts.spillBytes()) + " bytes";
  if (!facts.notices.empty())
    text += ", " + std::to_string(facts.notices.size()) + " notices: " + facts.notices.front();
  return text;
}

/// Compiles until one is clean; every error of NVRTC is an error, because every text is ours.
static Result<CompiledKernel> compileBest(std::span<const Candidate> candidates, const CompileOptions &options,
                                          const Nvrtc &nvrtc) {
  CompiledKernel best;
  std::vector<std::string> rejected;
  auto badness = [](const LogFacts &facts) { return std::tuple(facts.notices.size(), facts.spillBytes()); };
  for (size_t i = 0; i < candidates.size(); ++i) {
    Result<CompileOutput> output = nvrtc.compile(candidates[i].text, options);
    if (!output)
      return Error{"kernel '" + candidates[i].info.name + "': " + output.error(), output.fault().kind};
    if (i == 0 || badness(output->facts) < badness(best.facts)) {
      best.info = candidates[i].info;
      best.cubin = std::move(output->image);
      best.log = std::move(output->log);
      best.facts = output->facts;
      best.candidate = static_cast<int64_t>(i);
    }
    if (isClean(output->facts))
      break;
    rejected.push_back(rejection(i, output->facts));
  }
  rejected.resize(std::min<size_t>(rejected.size(), best.candidate));
  best.rejected = std::move(rejected);
  return best;
}

Result<CompiledKernel> Toolkit::compile(std::span<const Candidate> candidates, const CompileOptions &options) {
  if (candidates.empty())
    return Error{"no text to compile", ErrorKind::Internal};
  for (const Candidate &candidate : candidates)
    if (std::optional<std::string> fault = candidate.info.findFault())
      return Error{"kernel '" + candidate.info.name + "': " + *fault, ErrorKind::Internal};
  Result<std::shared_ptr<const Nvrtc>> nvrtc = this->nvrtc();
  if (!nvrtc)
    return nvrtc.fault();

  CompileOptions cubinOptions = options;
  cubinOptions.wantPtx = false;
  Cache cache(paths.cacheFolder);
  std::string hash = keyOf(candidates, cubinOptions, **nvrtc).hash();
  std::optional<CompiledKernel> kernel;
  if (std::optional<std::vector<std::string>> blobs = cache.load(hash))
    kernel = fromBlobs(*blobs, candidates.size());
  if (!kernel) {
    Result<CompiledKernel> compiled = compileBest(candidates, cubinOptions, **nvrtc);
    if (!compiled)
      return compiled.fault();
    kernel = std::move(*compiled);
    Status stored = cache.store(hash, toBlobs(*kernel));
    std::lock_guard lock(mutex);
    if (!stored && !hasNotedCache) {
      kernel->cacheNote = stored.error();
      hasNotedCache = true;
    }
  }
  kernel->arch = options.arch;
  kernel->nvrtcVersion = (*nvrtc)->version();
  return std::move(*kernel);
}

} // namespace tile::runtime

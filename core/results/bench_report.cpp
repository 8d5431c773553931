// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/bench_report.h"

#include "core/results/json_fields.h"

namespace farstate {

template <FieldsOf<Timing> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("runs", s.runs);
  field("seconds", s.seconds);
  field("warm", s.warm);
}

template <FieldsOf<BenchMachine> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("device", s.device);
  field("processor", s.processor);
  field("cores", s.cores);
  field("threads", s.threads);
  field("instructions", s.instructions);
  field("bf16", s.bf16);
}

template <FieldsOf<Library> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("name", s.name);
  field("version", s.version);
}

template <FieldsOf<TrainSpeed> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("shape", s.shape);
  field("params", s.params);
  field("layers", s.layers);
  field("d_model", s.model_dim);
  field("context", s.context);
  field("batch", s.batch);
  field("dtype", s.dtype);
  field("tokens_per_second", s.tokens_per_second);
  field("gflops", s.gflops);
  field("share_of_roofline", s.share_of_roofline);
  field("timing", s.timing);
}

template <FieldsOf<EvaluateSpeed> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("shape", s.shape);
  field("params", s.params);
  field("length", s.length);
  field("dtype", s.dtype);
  field("tokens_per_second", s.tokens_per_second);
  field("gflops", s.gflops);
  field("share_of_roofline", s.share_of_roofline);
  field("peak_memory_mb", s.peak_memory_mb);
  field("peak_of", s.peak_of);
  field("timing", s.timing);
}

template <FieldsOf<KernelSpeed> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("name", s.name);
  field("shape", s.shape);
  field("dtype", s.dtype);
  field("by", s.by);
  field("gflops", s.gflops);
  field("gbytes_per_second", s.gbytes_per_second);
  field("share_of_roofline", s.share_of_roofline);
  field("timing", s.timing);
}

template <FieldsOf<DeviceLimits> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("name", s.name);
  field("capability", s.capability);
  field("multiprocessors", s.multiprocessors);
  field("memory_bytes", s.memory_bytes);
  field("fp32_flops", s.fp32_flops);
  field("tf32_flops", s.tf32_flops);
  field("bf16_flops", s.bf16_flops);
  field("bytes_per_second", s.bytes_per_second);
}

template <FieldsOf<OperatorUse> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("operator", s.op);
  field("ran_as", s.by);
  field("why", s.why);
  field("calls", s.calls);
}

template <FieldsOf<DeviceReport> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("device", s.device);
  field("limits", s.limits);
  field("operators", s.operators);
  field("peak_bytes", s.peak_bytes);
  field("reserved_bytes", s.reserved_bytes);
}

template <FieldsOf<BenchReport> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("schema", std::string("farstate.bench/1"));
  field("program", s.program);
  field("libraries", s.libraries);
  field("machine", s.machine);
  field.json("recipe", s.recipe);
  field("gemm_gflops", s.gemm_gflops);
  field("roofline_gflops", s.roofline_gflops);
  field("train", s.train);
  field("evaluate", s.evaluate);
  field("kernels", s.kernels);
  field("notes", s.notes);
  field("device", s.device);
}

std::string to_json(const BenchReport& report) {
  int64_t non_finite = 0;
  FieldWriter::Json json = FieldWriter(non_finite).write(report);
  if (report.device.device.empty()) json.erase("device");
  if (non_finite > 0) {
    throw Error(ErrorKind::kInternal, fmt::format("{} of the benchmark's figures are not finite.",
                                                  non_finite));
  }
  return json.dump(2, ' ', false, FieldWriter::Json::error_handler_t::replace);
}

}  // namespace farstate

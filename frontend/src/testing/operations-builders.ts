import type { DeadJob, EdisonProcess, Operations } from "@/api/types";

const AT = "2026-01-15T10:00:00Z";

export function aProcess(over: Partial<EdisonProcess> = {}): EdisonProcess {
  return {
    id: "w1",
    kind: "server",
    host: "edison-1",
    pid: 42,
    version: "0.1.0",
    started_at: AT,
    seen_at: AT,
    seen_seconds: 1.4,
    is_silent: false,
    does_jobs: true,
    chunk_count: 0,
    call_count: 0,
    ...over,
  };
}

export function someOperations(over: Partial<Operations> = {}): Operations {
  return {
    mode: "embedded",
    trouble: null,
    queue: { waiting: 0, running: 0, oldest_waiting_seconds: null, depths: [] },
    processes: [aProcess()],
    dead_job_count: 0,
    ...over,
  };
}

export function aDeadJob(over: Partial<DeadJob> = {}): DeadJob {
  return {
    id: "j1",
    task: "generate_cases",
    key: "generate_cases:g1",
    priority: "interactive",
    attempts: 4,
    reason: "RuntimeError (trace abc)",
    failed_at: AT,
    ...over,
  };
}

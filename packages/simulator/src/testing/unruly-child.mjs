/** In place of a worker's process: it dies over seed 2, never answers for seed 3, and reports its own id for all others. */
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.on("message", ({ seed }) => {
  if (seed === 2) process.kill(process.pid, "SIGKILL");
  if (seed === 3) return;
  const nothing = { findings: [], outcomes: [], transfers: 0, steps: 0, lastedMs: 0, lines: [], peakMb: 1 };
  process.send({ ...nothing, digest: `${process.pid}` });
});
process.send("listens");

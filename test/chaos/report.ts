import type { FaultOutcome } from "@conclave/chaos";
import type { Campaign } from "./campaign.ts";
import type { LoadHistory, LoadRequest } from "./load/history.ts";

const LABEL = 72;

const quantile = (samples: readonly number[], share: number): number | undefined =>
  samples.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * samples.length) - 1)];

const seconds = (ms: number | undefined): string => (ms === undefined ? "-" : `${(ms / 1_000).toFixed(2)} s`);

const acceptedAt = ({ answer }: LoadRequest): number | undefined =>
  answer?.kind === "accepted" ? answer.atMs : undefined;

/**
 * Times from each fault's beginning until the first broadcast of a transfer accepted after it. This is what a user notices; it
 * includes the fault's own duration if nothing works meanwhile.
 */
export const recoveries = (
  { beganAtMs, requests }: LoadHistory,
  outcomes: readonly FaultOutcome[],
): readonly number[] =>
  outcomes.flatMap(({ beganMs }) => {
    if (beganMs === undefined) return [];
    const from = beganAtMs + beganMs;
    const sent = requests.flatMap((request) => {
      const [accepted, broadcast] = [acceptedAt(request), request.seen.broadcast];
      return accepted !== undefined && broadcast !== undefined && accepted >= from ? [broadcast - from] : [];
    });
    return sent.length === 0 ? [] : [Math.min(...sent)];
  });

/** Times from acceptance to broadcast, of transfers without approval. */
const latencies = ({ requests }: LoadHistory): readonly number[] =>
  requests.flatMap((request) => {
    const [accepted, broadcast] = [acceptedAt(request), request.seen.broadcast];
    return request.asked.verdict === "free" && accepted !== undefined && broadcast !== undefined
      ? [Math.max(0, broadcast - accepted)]
      : [];
  });

const SLOWEST = 3;

/** The transfers with the longest time from acceptance to broadcast, with their states. */
const slowestRows = ({ beganAtMs, requests }: LoadHistory): readonly string[] =>
  requests
    .flatMap((request) => {
      const [accepted, broadcast] = [acceptedAt(request), request.seen.broadcast];
      return accepted === undefined || broadcast === undefined || request.asked.verdict !== "free"
        ? []
        : [{ request, accepted, tookMs: broadcast - accepted }];
    })
    .toSorted((one, other) => other.tookMs - one.tookMs)
    .slice(0, SLOWEST)
    .flatMap(({ request: { asked, states }, accepted, tookMs }) => [
      row(
        `slowest: ${asked.number} on ${asked.network}, accepted ${seconds(accepted - beganAtMs)} after the begin`,
        seconds(tookMs),
      ),
      ...states.map(({ words, atMs }) => `      ${seconds(atMs - accepted).padStart(9)}  ${words}`),
    ]);

const countsOf = (requests: readonly LoadRequest[]) => {
  const accepted = requests.filter((request) => acceptedAt(request) !== undefined);
  const ended = (status: string): number => accepted.filter(({ end }) => end?.status === status).length;
  return {
    asked: requests.length,
    accepted: accepted.length,
    confirmed: ended("Confirmed"),
    failed: ended("Failed"),
    rejected: ended("Rejected"),
  };
};

const row = (label: string, value: string | number): string => `  ${label.padEnd(LABEL)}${value}`;

const faultRows = (outcomes: readonly FaultOutcome[]): readonly string[] => {
  const kinds = new Map<string, number>();
  for (const { kind, beganMs } of outcomes) {
    if (beganMs !== undefined) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return [...kinds].sort().map(([kind, count]) => row(`  ${kind}`, count));
};

/** Counts of failed transfers by reason. */
const reasonRows = (requests: readonly LoadRequest[]): readonly string[] => {
  const reasons = new Map<string, number>();
  for (const { end, asked } of requests) {
    if (end?.status !== "Failed") continue;
    const words = `${asked.network}: ${end.reason ?? "no reason"}`;
    reasons.set(words, (reasons.get(words) ?? 0) + 1);
  }
  return [...reasons].sort().map(([words, count]) => row(`  ${words}`, count));
};

/** The report of a campaign as a table, with the findings. */
export const reportText = ({ outcomes, history, findings, drainedMs }: Campaign): string => {
  const counts = countsOf(history.requests);
  const recovered = recoveries(history, outcomes);
  const taken = latencies(history);
  const of = (invariant: string): number =>
    findings.filter((finding) => finding.invariant === invariant).length;
  const troubles = outcomes.filter(({ trouble }) => trouble !== undefined);
  return [
    row("faults injected", outcomes.filter(({ beganMs }) => beganMs !== undefined).length),
    ...faultRows(outcomes),
    row("transfers asked for", counts.asked),
    ...(history.skipped === 0
      ? []
      : [row("not asked for, because too many before them had no answer", history.skipped)]),
    row("accepted", counts.accepted),
    row("confirmed", counts.confirmed),
    row("rejected by an approver", counts.rejected),
    row("failed, with a reason", counts.failed),
    ...reasonRows(history.requests),
    row("lost: accepted and not ended (INV-5)", of("INV-5")),
    row("doubled, or not as asked for (INV-4)", of("INV-4")),
    row("all findings, of INV-1 to INV-11", findings.length),
    row(
      "accepted to broadcast, p50 / p99",
      `${seconds(quantile(taken, 0.5))} / ${seconds(quantile(taken, 0.99))}`,
    ),
    row(
      "time to recover, p50 / p99",
      `${seconds(quantile(recovered, 0.5))} / ${seconds(quantile(recovered, 0.99))}`,
    ),
    row("from the last heal until all had ended", seconds(drainedMs)),
    ...slowestRows(history),
    ...troubles.map(({ text, trouble }) => `  not as planned: ${text}: ${trouble}`),
    ...findings.map(({ invariant, words }) => `  FOUND ${invariant}: ${words}`),
    "",
  ].join("\n");
};

import { setTimeout as delay } from "node:timers/promises";
import { waitUntil } from "./host/wait-until.ts";
import { LaunchError } from "./launch-error.ts";
import type { ClusterOptions } from "./options.ts";
import { countedStages, readSigners, type SignerReport, stateOf } from "./orchestrator-status.ts";
import { signerName } from "./parts/process-name.ts";
import type { ClusterIdentity } from "./provision/identities.ts";

/** Five signers need most of a minute for their 3072-bit moduli; this allows for a slow machine. */
const DEADLINE_MS = 600_000;
const POLL_MS = 50;

/** A start goes on without signers that show no progress for so long, once enough others sign. */
const GRACE_MS = 10_000;
/** A wait that takes longer says so again and again. */
const SAID_EVERY_MS = 5_000;
const MS_PER_SECOND = 1_000;

const isReady = (signer: SignerReport, newcomers: ReadonlySet<number>): boolean => {
  const { standing } = stateOf(signer);
  return standing === "ready" || (standing !== "away" && newcomers.has(signer.index));
};

/** The signers that the change under way adds: they receive auxiliary information when keys are moved to them. */
export const newcomersOf = ({ change, changes = [] }: ClusterIdentity): ReadonlySet<number> =>
  new Set(
    change === undefined
      ? []
      : changes.slice(change.since ?? changes.length - 1).flatMap(({ added }) => added),
  );

/** The signers that a start waits for. */
export interface AwaitedSigners {
  /** indices of signers that need not have auxiliary information yet */
  readonly newcomers?: ReadonlySet<number>;
  /** so many suffice, where the others show no progress; by default all are waited for */
  readonly enough?: number;
  /** milliseconds without progress after which a start goes on with enough */
  readonly graceMs?: number;
}

/**
 * Waits until the orchestrator reports every signer as live and with auxiliary information, or enough of them, and reports progress, at
 * least each five seconds. Rejects with a LaunchError at the deadline.
 */
export const signersReady = async (
  orchestratorUrl: string,
  options: Pick<ClusterOptions, "onProgress" | "signal">,
  { newcomers = new Set(), enough = Number.POSITIVE_INFINITY, graceMs = GRACE_MS }: AwaitedSigners = {},
): Promise<void> => {
  const beganMs = performance.now();
  let [shown, changedMs, saidMs] = ["", beganMs, beganMs];
  for (;;) {
    options.signal?.throwIfAborted();
    const signers = (await readSigners(orchestratorUrl)) ?? [];
    const [ready, total] = [signers.filter((signer) => isReady(signer, newcomers)).length, signers.length];
    const [text, nowMs] = [
      `signers: ${countedStages(signers.map((signer) => stateOf(signer).state))}`,
      performance.now(),
    ];
    const say = (words: string): void => options.onProgress({ kind: "auxiliary", ready, total, text: words });
    if (text !== shown && total > 0) {
      [shown, changedMs, saidMs] = [text, nowMs, nowMs];
      say(text);
    } else if (nowMs - saidMs > SAID_EVERY_MS) {
      saidMs = nowMs;
      say(`${shown || "signers: none is heard"}, for ${Math.round((nowMs - changedMs) / MS_PER_SECOND)} s`);
    }
    if (total > 0 && (ready === total || (ready >= enough && nowMs - changedMs >= graceMs))) return;
    if (nowMs - beganMs > DEADLINE_MS) {
      throw new LaunchError(`the signers did not become ready: ${shown}`, "See the logs of the signers.");
    }
    await delay(POLL_MS, undefined, options.signal ? { signal: options.signal } : {});
  }
};

/** An orchestrator receives a signer's first report within seconds after its start; this allows for a busy machine. */
const HEARD_MS = 60_000;

/** Waits until an orchestrator receives reports from these signers. Rejects with a LaunchError at the deadline. */
export const signersHeard = async (
  orchestratorUrl: string,
  indices: readonly number[],
  signal?: AbortSignal,
): Promise<void> => {
  await waitUntil(
    async () => {
      const signers = (await readSigners(orchestratorUrl)) ?? [];
      const isHeard = (index: number) => signers.some((signer) => signer.index === index && signer.live);
      return indices.every(isHeard) ? true : undefined;
    },
    {
      what: `${orchestratorUrl} to hear ${indices.map(signerName).join(", ")}`,
      deadlineMs: HEARD_MS,
      remedy: "See the logs of the signers and of the orchestrators.",
      ...(signal ? { signal } : {}),
    },
  );
};

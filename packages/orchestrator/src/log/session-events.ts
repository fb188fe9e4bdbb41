import { countedEvent, logEvent } from "@conclave/platform";
import type { SessionIds } from "./numbered-sessions.ts";

/** The events of sessions, and of the signers that take part: never a payload, a secret or an address. */

/** @param signer its index */
type OfSigner = SessionIds & { readonly signer: number };

export const sessionBegun = logEvent<OfSigner>()("debug", "session-begun", "session begun");

export const sessionLost = logEvent<OfSigner & { readonly reason: string }>()(
  "warn",
  "session-lost",
  "session lost",
);

/** The step of a protocol that a check belongs to, such as "presign/2": a metric's label may have only few values. */
const checkedStep = (check: string): string => /^([a-z]+\/\d|round)/.exec(check)?.[1] ?? "other";

/** @param signer the id of the culprit */
export const signerDeviated = countedEvent<
  SessionIds & {
    readonly signer: string;
    readonly culprit: number;
    readonly reporter: number;
    readonly check: string;
    readonly sentence: string;
  }
>()("error", "signer-deviated", "a signer deviated from the protocol", {
  counter: {
    name: "conclave_faults_total",
    help: "Proved deviations from the protocol, by signer and by the step that its message belongs to",
    labelNames: ["signer", "step"],
  },
  labels: ({ signer, check }) => ({ signer, step: checkedStep(check) }),
});

export const faultNotStored = logEvent<
  SessionIds & { readonly err: unknown; readonly culprit: number; readonly check: string }
>()("error", "fault-not-stored", "a fault is not stored");

export const signerBehind = logEvent<{
  readonly signer: number;
  readonly keyId: string;
  readonly requestId?: string;
}>()("warn", "signer-behind", "a signer is in an earlier epoch of a key than others");

export const certificateShown = logEvent<{
  readonly signer: number;
  /** a key id, or the auxiliary information */
  readonly subject: string;
  readonly epoch: number;
  /** the signer's epoch after that, or the code of its refusal */
  readonly answer: number | string;
}>()("info", "certificate-shown", "a signer was shown the certificate of an epoch");

export const orphansDiscarded = logEvent<{
  readonly signer: number;
  readonly ids: number;
  readonly ok: boolean | undefined;
}>()("info", "orphans-discarded", "orphaned presignatures discarded");

export const presignaturesNotReleased = logEvent<{ readonly err: unknown }>()(
  "error",
  "presignatures-not-released",
  "releasing presignatures failed",
);

/** @param unavailable the ids of those that do not serve or answer now */
export const signersChanged = logEvent<{ readonly unavailable: readonly string[] }>()(
  "info",
  "signers-changed",
  "other signers answer than before",
);

/** @param apart the ids of live signers that use other auxiliary information */
export const clusterReady = logEvent<{ readonly epoch: number; readonly apart: readonly string[] }>()(
  "info",
  "cluster-ready",
  "the cluster is ready",
);

export const auxiliaryMissing = logEvent()(
  "info",
  "auxiliary-missing",
  "auxiliary information is missing; all signers make it",
);

export const auxiliaryEnded = logEvent<{ readonly outcome: string }>()(
  "info",
  "auxiliary-ended",
  "auxiliary generation ended",
);

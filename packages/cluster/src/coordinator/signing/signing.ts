import type { SignedAuthorisation } from "@conclave/custody";
import type { Signature } from "@conclave/threshold";
import {
  openQuorumSigning,
  type QuorumSigning,
  type QuorumSigningConfig,
  type QuorumSigningStep,
  stepQuorumSigning,
} from "./quorum-signing.ts";

export interface SigningCoordinatorConfig extends Omit<QuorumSigningConfig<Signature>, "order"> {
  readonly authorisation: SignedAuthorisation;
  readonly unsignedTransaction: Uint8Array;
  /** whether the signature is by the wallet's key over the transaction that was asked for */
  readonly verify: (signature: Signature, digest: Uint8Array) => boolean;
  /** SIGNING_ATTEMPT_MS unless there is a reason */
  readonly attemptMs: number;
}

/** Gets one transaction signed. */
export type SigningCoordinator = QuorumSigning<Signature>;
export type SigningStep = QuorumSigningStep<Signature>;

/**
 * Starts to get a transaction signed: begins the first session at once when a quorum is live.
 *
 * @param known as `openQuorumSigning` takes it
 * @param nowMs Unix milliseconds
 */
export const openSigningCoordinator = (
  { authorisation, unsignedTransaction, verify, ...config }: SigningCoordinatorConfig,
  known: Parameters<typeof openQuorumSigning>[1],
  nowMs: number,
): SigningStep => {
  const { keyId } = config;
  const order: QuorumSigningConfig<Signature>["order"] = {
    request: ({ path, ...plan }) => {
      const whole = { kind: "signing", keyId, authorisation, unsignedTransaction, ...plan } as const;
      return path.kind === "pooled" ? { ...whole, presignature: path.presignature } : whole;
    },
    accept: (report) =>
      report.kind === "signature" && verify(report.signature, report.digest) ? report.signature : undefined,
  };
  return openQuorumSigning({ ...config, order }, known, nowMs);
};

/** What the coordinator does about one event. Events of sessions that are over have no effect. */
export const stepSigningCoordinator: typeof stepQuorumSigning<Signature> = stepQuorumSigning;

import type { SignedAuthorisation } from "@conclave/custody";
import {
  openQuorumSigning,
  type QuorumSigning,
  type QuorumSigningConfig,
  type QuorumSigningStep,
  stepQuorumSigning,
} from "./quorum-signing.ts";

export interface MessageCoordinatorConfig extends Omit<QuorumSigningConfig<Uint8Array>, "order"> {
  /** the message stands in it, whole */
  readonly authorisation: SignedAuthorisation;
  /** whether the 64 bytes are a signature by the key over the authorised message */
  readonly verify: (signature: Uint8Array, publicKey: Uint8Array) => boolean;
  /** MESSAGE_ATTEMPT_MS unless there is a reason */
  readonly attemptMs: number;
}

/** Gets one message signed with a key of a FROST scheme. */
export type MessageCoordinator = QuorumSigning<Uint8Array>;
export type MessageStep = QuorumSigningStep<Uint8Array>;

/**
 * Starts to get a message signed: begins the first session at once when a quorum is live. A signer that started less
 * than a few seconds ago refuses (begin-message.ts), and is tried again when others do not do.
 *
 * @param known as `openQuorumSigning` takes it
 * @param nowMs Unix milliseconds
 */
export const openMessageCoordinator = (
  { authorisation, verify, ...config }: MessageCoordinatorConfig,
  known: Omit<Parameters<typeof openQuorumSigning>[1], "presignatures">,
  nowMs: number,
): MessageStep => {
  const order: QuorumSigningConfig<Uint8Array>["order"] = {
    request: ({ quorum, expiresAtMs }) => ({
      kind: "message-signing",
      quorum,
      keyId: config.keyId,
      authorisation,
      expiresAtMs,
    }),
    accept: (report) =>
      report.kind === "message-signature" && verify(report.signature, report.publicKey)
        ? report.signature
        : undefined,
  };
  return openQuorumSigning({ ...config, order }, known, nowMs);
};

/** What the coordinator does about one event. Events of sessions that are over have no effect. */
export const stepMessageCoordinator: typeof stepQuorumSigning<Uint8Array> = stepQuorumSigning;

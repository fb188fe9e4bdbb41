import {
  attestKey,
  certificateOf,
  listPresignatures,
  lostToMs,
  publicKeyInfoOf,
  readHeldKeys,
  type Shell,
  type SignerState,
  signedForRequest,
  signerStatus,
} from "@conclave/cluster";
import { ok } from "@conclave/custody";
import type { SignerStatus } from "@conclave/platform/grpc";
import type { SignerViews } from "../control.ts";
import type { PeerLinks, SignerParts } from "./parts.ts";

/**
 * Answers without a step of the state machine: from the state whose effects are all carried out, and from
 * written records.
 */
export const viewsOf = (
  { world, machine, records: { vault, past } }: Pick<SignerParts, "world" | "machine" | "records">,
  running: () => { readonly shell: Shell; readonly status: () => SignerStatus },
): SignerViews => {
  const durable = (): SignerState => ({ ...running().shell.durableState, history: past.readWritten });
  const keys: SignerViews["keys"] = (asked) =>
    readHeldKeys(durable(), asked, ({ prefix, after, limit }) => vault.next(prefix, after, limit));
  return {
    isBusy: () => running().shell.isBusy,
    status: () => running().status(),
    keys,
    keyInfo: (keyId) => publicKeyInfoOf(durable(), keyId),
    attestation: (keyId) => attestKey(durable(), keyId, machine.secrets),
    certificate: (subject) => certificateOf(durable(), subject),
    presignatures: (keyId) => listPresignatures(durable(), world.nowMs(), keyId),
    signed: async (asked) => ok(signedForRequest(past.readWritten, asked, lostToMs(durable()))),
  };
};

/** The status of a signer whose effects so far are carried out. */
export const statusOf = (
  { world, id, machine, figures }: Pick<SignerParts, "world" | "id" | "machine" | "figures">,
  stage: SignerStatus["state"],
  shell: Shell,
  links: PeerLinks,
): SignerStatus => {
  const { auxiliary, keyCount, keysToRefresh, sessions, quarantined, pool } = signerStatus(
    shell.durableState,
  );
  return {
    index: machine.self,
    id,
    state: stage,
    parameters: machine.parameters,
    auxiliaryEpoch: auxiliary.epoch,
    auxiliaryDigest: auxiliary.digest,
    pendingAuxiliary: auxiliary.pending,
    keyCount,
    keysToRefresh,
    sessions: sessions.map(({ session, ...rest }) => ({
      ...rest,
      session: new Uint8Array(Buffer.from(session, "hex")),
    })),
    ...figures(),
    connectedPeers: links.connected(),
    quarantined,
    clockMs: world.nowMs(),
    life: shell.state.life,
    pool,
  };
};

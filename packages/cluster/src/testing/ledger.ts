import { type Envelope, type PartyIndex, SIGNING_ROUND } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { SignerEffect } from "../signer/effect.ts";
import type { SessionKey } from "../signer/event.ts";
import { RECORDS, type StoredRecord } from "../signer/record.ts";

/**
 * Watches every effect as it is carried out, over all lives of all signers, and throws when an invariant breaks:
 * INV-2 (no partial signature before its tombstone is durable, and none for two digests) and INV-4 (no signer signs
 * one request with two nonces).
 */
export interface Ledger {
  /** told before an effect is carried out, with what is durable at that moment */
  readonly watch: (
    signer: PartyIndex,
    effect: SignerEffect,
    durable: ReadonlyMap<string, StoredRecord["value"]>,
  ) => void;
  /** partial signatures that left a signer */
  readonly partials: readonly { readonly signer: PartyIndex; readonly session: string }[];
}

export const openLedger = (): Ledger => {
  const digests = new Map<string, string>();
  const nonces = new Map<string, bigint>();
  const partials: { signer: PartyIndex; session: string }[] = [];

  const tombstonesOf = (durable: ReadonlyMap<string, StoredRecord["value"]>) =>
    [...durable].flatMap(([record, value]) =>
      RECORDS.tombstone.idOf(record) === undefined ? [] : [RECORDS.tombstone.read({ record, value })],
    );

  const watchSigning = (
    signer: PartyIndex,
    session: SessionKey,
    digest: Uint8Array,
    durable: ReadonlyMap<string, StoredRecord["value"]>,
  ): void => {
    const place = `${signer}/${session}`;
    const hex = bytesToHex(digest);
    if (digests.has(place)) throw new Error(`INV-2: signer ${signer} signs twice in one session`);
    digests.set(place, hex);
    const tombstone = tombstonesOf(durable).find((candidate) => bytesToHex(candidate.digest) === hex);
    if (tombstone === undefined) throw new Error(`INV-2: signer ${signer} signs without a tombstone`);
    const { requestId, nonce } = tombstone;
    const request = `${signer}/${requestId}`;
    if ((nonces.get(request) ?? nonce) !== nonce) throw new Error(`INV-4: two nonces for ${request}`);
    nonces.set(request, nonce);
    if (!durable.has(RECORDS.request.name(requestId))) throw new Error(`INV-4: ${requestId} is not durable`);
  };

  const watchSend = (signer: PartyIndex, { round, session }: Envelope): void => {
    if (round < SIGNING_ROUND) return;
    const hex = bytesToHex(session);
    if (!digests.has(`${signer}/${hex}`)) return; // keygen may have as many rounds
    partials.push({ signer, session: hex });
  };

  return {
    watch: (signer, effect, durable) => {
      if (effect.kind === "send") watchSend(signer, effect.envelope);
      if (effect.kind !== "compute" || effect.task.kind !== "open-signing") return;
      watchSigning(signer, effect.session, effect.task.digest, durable);
    },
    partials,
  };
};

import { type Envelope, type PartyIndex, SECP256K1, SIGNING_ROUND } from "@conclave/threshold";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { ComputeTask } from "../compute/task.ts";
import type { SessionKey } from "../control/session-key.ts";
import type { SignerEffect } from "../signer/effect.ts";
import {
  type KeyRecord,
  RECORDS,
  type SpentRecord,
  type StoredRecord,
  type TombstoneRecord,
} from "../signer/records/record.ts";
import { reader } from "./fixtures.ts";

/**
 * Watches every effect as it is carried out, over all lives of all signers, and throws when an invariant breaks.
 * - INV-2: no partial signature before its tombstone is durable, none for two digests, none with a presignature that is
 *   used again or still stored.
 * - INV-4: the binding of a request is durable before it is signed, and the transaction excludes those signed before.
 * - INV-11: an envelope of an import is opened for one key id alone, and only after it is recorded.
 * - FROST: no signer sends two different messages in one run that signs a message, in any of its lives, so it never
 *   sends two signature shares (INV-2) nor looks like a cheat (INV-7).
 * - A session uses active shares alone, all of one epoch.
 * - No share is sealed for a client before the export is recorded.
 */
export interface Ledger {
  /** called before an effect is carried out, with the durable records at that moment */
  readonly watch: (signer: PartyIndex, effect: SignerEffect, durable: Durable) => void;
  /** from now on a transaction can no longer land, as the authority states */
  readonly bury: (unsigned: Uint8Array) => void;
  /** from now on a message of this request is signed with FROST; the request must be bound first */
  readonly expect: (message: Uint8Array, requestId: string) => void;
  /** partial signatures that signers sent */
  readonly partials: readonly Partial[];
  /** envelopes of imports that signers opened, over all their lives */
  readonly opened: readonly OpenedEnvelope[];
}

interface OpenedEnvelope {
  readonly signer: PartyIndex;
  readonly envelope: Uint8Array;
  readonly keyId: string;
}

interface Partial {
  readonly signer: PartyIndex;
  readonly session: string;
  readonly digest: string;
  /** id of a presignature of the pool, if one was used */
  readonly presignature: string | undefined;
}

type PooledSigning = Extract<ComputeTask, { readonly kind: "open-pooled-signing" }>;
type Durable = ReadonlyMap<string, StoredRecord["value"]>;
type ShareBytes = KeyRecord["share"];

const tombstonesOf = (durable: Durable): readonly TombstoneRecord[] =>
  [...durable].flatMap(([record, value]) =>
    RECORDS.tombstone.idOf(record) === undefined ? [] : [RECORDS.tombstone.read({ record, value })],
  );

const keysOf = (durable: Durable): readonly KeyRecord[] =>
  [...durable].flatMap(([record, value]) =>
    RECORDS.key.idOf(record) === undefined ? [] : [RECORDS.key.read({ record, value })],
  );

/** The records of envelopes of imports that a signer took. */
export const takenEnvelopesIn = (durable: Durable) =>
  [...durable].flatMap(([record, value]) => {
    const digest = RECORDS.envelope.idOf(record);
    return digest === undefined ? [] : [{ digest, ...RECORDS.envelope.read({ record, value }) }];
  });

const isSameSecret = (one: ShareBytes, other: ShareBytes): boolean =>
  bytesToHex(one.reveal()) === bytesToHex(other.reveal());

const buriedIn = (durable: Durable, id: string): SpentRecord | undefined => {
  const record = RECORDS.spent.name(id);
  const value = durable.get(record);
  return value === undefined ? undefined : RECORDS.spent.read({ record, value });
};

export const openLedger = (): Ledger => new WatchingLedger();

class WatchingLedger implements Ledger {
  readonly partials: Partial[] = [];
  readonly opened: OpenedEnvelope[] = [];
  readonly #digests = new Map<string, string>();
  readonly #bound = new Map<string, ReadonlySet<string>>();
  readonly #dead = new Set<string>();
  readonly #requests = new Map<string, string>();
  readonly #epochs = new Map<SessionKey, number>();
  readonly #pooled = new Map<string, string>();
  readonly #presignatureOf = new Map<string, string>();
  readonly #frost = new Set<string>();
  readonly #said = new Map<string, string>();

  /** Checks that a session's shares are active at each signer, and of one epoch. */
  #watchEpoch(signer: PartyIndex, session: SessionKey, share: ShareBytes, durable: Durable): void {
    const key = keysOf(durable).find((record) => isSameSecret(record.share, share));
    if (key?.state !== "active") throw new Error(`signer ${signer} uses a share that is not its active one`);
    if ((this.#epochs.get(session) ?? key.epoch) !== key.epoch)
      throw new Error("a session mixes epochs of a key");
    this.#epochs.set(session, key.epoch);
  }

  /** Checks that an export is durably recorded before the share is sealed. */
  #watchExport(signer: PartyIndex, share: ShareBytes, durable: Durable): void {
    const key = keysOf(durable).find((record) => isSameSecret(record.share, share));
    if (key?.state !== "active")
      throw new Error(`signer ${signer} hands out a share that is not its active one`);
    if ((key.exports ?? []).length === 0)
      throw new Error(`signer ${signer} hands out a share off the record`);
  }

  /** Checks that a signer durably recorded the key id of an envelope before it opens it, and took it for no other key id. */
  #watchImport(
    signer: PartyIndex,
    { envelope, keyId }: Extract<ComputeTask, { readonly kind: "open-import" }>,
    durable: Durable,
  ): void {
    const digest = bytesToHex(sha256(envelope));
    const taken = takenEnvelopesIn(durable);
    if (!taken.some((each) => each.digest === digest && each.keyId === keyId))
      throw new Error(`INV-11: signer ${signer} opens an envelope off the record`);
    const ephemeralKey = bytesToHex(envelope.subarray(-SECP256K1.pointBytes));
    if (taken.some((each) => each.ephemeralKey === ephemeralKey && each.keyId !== keyId))
      throw new Error(`INV-11: signer ${signer} opens an envelope for two keys`);
    this.opened.push({ signer, envelope, keyId });
  }

  /**
   * Checks that the binding of a signed transaction is durable first, and that the transaction excludes all that the
   * signer signed before, except dead ones.
   */
  #watchRequest(signer: PartyIndex, { requestId }: { readonly requestId: string }, durable: Durable): void {
    const record = RECORDS.request.name(requestId);
    const value = durable.get(record);
    if (value === undefined) {
      if (!/^(xfr|tx)-/.test(requestId)) return; // content that is no transaction has no binding
      throw new Error(`INV-4: ${requestId} is not durable`);
    }
    const { transactions } = RECORDS.request.read({ record, value });
    const place = `${signer}/${requestId}`;
    const names = new Set(transactions.map(({ exclusion, deadlineMs }) => [exclusion, deadlineMs].join("/")));
    for (const name of this.#bound.get(place) ?? []) {
      if (!names.has(name)) throw new Error(`INV-4: signer ${signer} forgot what it signed for ${requestId}`);
    }
    this.#bound.set(place, names);
    const living = transactions.flatMap(({ exclusion, digests }) =>
      digests.length === 0
        ? [exclusion]
        : digests.filter((digest) => !this.#dead.has(digest)).map(() => exclusion),
    );
    const isTwice = living.some((one, at) =>
      living.slice(at + 1).some((other) => !reader.excludes("", one, other)),
    );
    if (isTwice) throw new Error(`INV-4: signer ${signer} signs ${requestId} twice`);
  }

  #watchSigning(signer: PartyIndex, session: SessionKey, digest: Uint8Array): string {
    const place = `${signer}/${session}`;
    if (this.#digests.has(place)) throw new Error(`INV-2: signer ${signer} signs twice in one session`);
    const hex = bytesToHex(digest);
    this.#digests.set(place, hex);
    return hex;
  }

  #watchInteractive(signer: PartyIndex, session: SessionKey, digest: Uint8Array, durable: Durable): void {
    const hex = this.#watchSigning(signer, session, digest);
    const tombstone = tombstonesOf(durable).find((candidate) => bytesToHex(candidate.digest) === hex);
    if (tombstone === undefined) throw new Error(`INV-2: signer ${signer} signs without a tombstone`);
    this.#watchRequest(signer, tombstone, durable);
  }

  #watchPooled(
    signer: PartyIndex,
    session: SessionKey,
    { id, digest }: PooledSigning,
    durable: Durable,
  ): void {
    const hex = this.#watchSigning(signer, session, digest.bytes);
    const place = `${signer}/${id}`;
    if (this.#pooled.has(place)) throw new Error(`INV-2: signer ${signer} uses a presignature twice`);
    this.#pooled.set(place, hex);
    const tombstone = buriedIn(durable, id);
    if (tombstone === undefined || bytesToHex(tombstone.digest) !== hex) {
      throw new Error(`INV-2: signer ${signer} signs without a tombstone of its presignature`);
    }
    if (durable.has(RECORDS.presignature.name(id))) {
      throw new Error(`INV-2: signer ${signer} signs with a presignature that it still keeps`);
    }
    this.#watchRequest(signer, tombstone, durable);
    this.#presignatureOf.set(`${signer}/${session}`, id);
  }

  #watchFrost(
    signer: PartyIndex,
    session: SessionKey,
    { message }: Extract<ComputeTask, { readonly kind: "open-frost" }>,
    durable: Durable,
  ): void {
    const requestId = this.#requests.get(bytesToHex(message));
    if (requestId !== undefined) this.#watchRequest(signer, { requestId }, durable);
    const place = `${signer}/${session}`;
    if (this.#frost.has(place)) throw new Error(`INV-2: signer ${signer} opens a run for a message twice`);
    this.#frost.add(place);
  }

  #watchSaid(signer: PartyIndex, { session, round, kind, payload }: Envelope): void {
    const run = `${signer}/${bytesToHex(session)}`;
    if (!this.#frost.has(run)) return;
    const place = `${run}/${round}/${kind}`;
    const hex = bytesToHex(payload);
    if ((this.#said.get(place) ?? hex) !== hex)
      throw new Error(`INV-7: signer ${signer} says two things at ${place}`);
    this.#said.set(place, hex);
  }

  #watchSend(signer: PartyIndex, { round, session }: Envelope, durable: Durable): void {
    if (round < SIGNING_ROUND) return;
    const hex = bytesToHex(session);
    const place = `${signer}/${hex}`;
    const digest = this.#digests.get(place);
    if (digest === undefined) return; // key generation, which has no digest, may have as many rounds
    const presignature = this.#presignatureOf.get(place);
    if (presignature !== undefined && buriedIn(durable, presignature) === undefined) {
      throw new Error(`INV-2: a partial signature leaves signer ${signer} without a tombstone`);
    }
    this.partials.push({ signer, session: hex, digest, presignature });
  }

  watch(signer: PartyIndex, effect: SignerEffect, durable: Durable): void {
    if (effect.kind === "send") {
      this.#watchSend(signer, effect.envelope, durable);
      this.#watchSaid(signer, effect.envelope);
    }
    if (effect.kind !== "compute") return;
    const { session, task } = effect;
    if (task.kind === "open-presigning" || task.kind === "open-frost") {
      this.#watchEpoch(signer, session, task.key, durable);
    }
    if (task.kind === "open-import") this.#watchImport(signer, task, durable);
    if (task.kind === "seal-export") this.#watchExport(signer, task.key, durable);
    if (task.kind === "open-signing") this.#watchInteractive(signer, session, task.digest, durable);
    if (task.kind === "open-frost") this.#watchFrost(signer, session, task, durable);
    if (task.kind === "open-pooled-signing") this.#watchPooled(signer, session, task, durable);
  }

  expect(message: Uint8Array, requestId: string): void {
    this.#requests.set(bytesToHex(message), requestId);
  }

  bury(unsigned: Uint8Array): void {
    this.#dead.add(bytesToHex(sha256(unsigned)));
  }
}

import { type Problem, problem } from "@conclave/custody";
import { importEphemeralKeyOf } from "@conclave/threshold";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { IMPORT_ENVELOPES_REMEMBERED_MAX } from "../limits.ts";
import { lookUp, put } from "../records/persistent-map.ts";
import { RECORDS } from "../records/record.ts";
import type { SignerState } from "../state.ts";

/** Names of one envelope: its digest, and the client's ephemeral key. */
const NAMES_PER_ENVELOPE = 2;

interface EnvelopeNames {
  /** SHA-256 of the envelope, in hex */
  readonly digest: string;
  /** the client's ephemeral key, in hex; undefined when the envelope has none */
  readonly ephemeralKey: string | undefined;
}

/**
 * The names by which a repeated envelope is recognised. An envelope binds no key and no organisation, so an
 * organisation that saw it could send it again as its own (INV-11). Its digest changes with any byte; the client's
 * ephemeral key stays the same as long as the envelope opens to what the client sealed.
 */
const namesOf = (envelope: Uint8Array): EnvelopeNames => {
  const ephemeralKey = importEphemeralKeyOf(envelope);
  return {
    digest: bytesToHex(sha256(envelope)),
    ephemeralKey: ephemeralKey === undefined ? undefined : bytesToHex(ephemeralKey),
  };
};

/** An envelope's names. */
export const envelopeNames = ({ digest, ephemeralKey }: EnvelopeNames): readonly string[] =>
  ephemeralKey === undefined ? [digest] : [digest, ephemeralKey];

/**
 * The reason to refuse an envelope: it was taken for another key id. The refusal does not depend on the owner or the
 * fate of the other key. The same key id may try again.
 */
export const whyNotTake = (
  { envelopes }: SignerState,
  envelope: Uint8Array,
  keyId: string,
): Problem | undefined => {
  const takenFor = envelopeNames(namesOf(envelope)).map((name) => lookUp(envelopes, name));
  if (takenFor.some((other) => other !== undefined && other !== keyId))
    return problem("KeyImportEnvelopesUsed");
  const isNew = takenFor.includes(undefined);
  return isNew && envelopes.size >= NAMES_PER_ENVELOPE * IMPORT_ENVELOPES_REMEMBERED_MAX
    ? problem(
        "TooManySessions",
        {},
        "This signer remembers as many encrypted shares as it may, and takes no more.",
      )
    : undefined;
};

/**
 * Takes an envelope for one key id, and for no other ever again; the write is durable before the envelope is opened.
 * The record is never forgotten, even if the import fails or the key is discarded: as long as the client controls its
 * key, the envelope is worth stealing.
 */
export const taking = (state: SignerState, envelope: Uint8Array, keyId: string) => {
  const names = namesOf(envelope);
  const { digest, ephemeralKey } = names;
  if (lookUp(state.envelopes, digest) === keyId) return { state, puts: [] };
  const envelopes = envelopeNames(names).reduce((all, name) => put(all, name, keyId), state.envelopes);
  const key = ephemeralKey === undefined ? {} : { ephemeralKey };
  const value = RECORDS.envelope.write({ version: 1, keyId, ...key });
  return { state: { ...state, envelopes }, puts: [{ record: RECORDS.envelope.name(digest), value }] };
};

import { type Problem, problem } from "@conclave/custody";
import { importEphemeralKeyOf } from "@conclave/threshold";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { IMPORT_ENVELOPES_REMEMBERED_MAX } from "../limits.ts";
import { lookUp, put } from "../records/persistent-map.ts";
import { RECORDS } from "../records/record.ts";
import type { SignerState } from "../state.ts";

/** An envelope has two names. */
const NAMES_PER_ENVELOPE = 2;

interface EnvelopeNames {
  /** SHA-256 of all of it, in hex */
  readonly digest: string;
  /** the client's, in hex; undefined when the envelope has none */
  readonly ephemeralKey: string | undefined;
}

/**
 * The value by which an envelope is recognised. An envelope binds no key and no organisation, so an organisation that saw it
 * could send it again as its own (INV-11). By its bytes alone it would be recognised until somebody changes one; by the
 * client's ephemeral key it is recognised as long as it opens to what the client sealed.
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
 * Why an envelope is not taken for a key id: it was taken for another. The refusal is the same for every owner of the other key,
 * and whatever became of it. The same key id may try again.
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
 * Takes an envelope for a key id, and for no other any more: the write is durable before the envelope is opened. It is
 * never forgotten, not when the import fails and not when the key is discarded: for as long as the client controls its key,
 * the envelope is worth stealing.
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

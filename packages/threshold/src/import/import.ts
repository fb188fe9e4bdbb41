import { utf8ToBytes } from "@noble/hashes/utils.js";
import { encode } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import { KEY_ID_BYTES_MAX } from "../keygen/key-share.ts";
import type { Secret } from "../secret.ts";
import type { Start } from "../session/round.ts";
import { withMaterial } from "../session/with-material.ts";
import { readOwnEntry } from "./entry.ts";
import { round1 } from "./round1.ts";
import { type ImportOutcome, type ImportRun, positionOf } from "./run.ts";
import { stateEntry, statementCodec } from "./statement.ts";
import { importMaterial } from "./terms.ts";

/** The configuration of startImport: the run, and our own entry. */
export interface ImportConfig<P extends GroupPoint<P>> extends ImportRun<P> {
  /** the envelope of our own entry, untrusted */
  readonly envelope: Uint8Array;
  /** opens the envelope: a scalar of secp256k1, 32 bytes, big-endian */
  readonly decryptionKey: Secret<Uint8Array>;
}

const requireFit = <P extends GroupPoint<P>>(run: ImportRun<P>): void => {
  const { self, parties, threshold, keyId, assignment, epoch } = run;
  if (!parties.includes(self)) throw new RangeError("we are not among the parties of the key");
  if (!Number.isInteger(threshold) || threshold < 2 || threshold > parties.length) {
    throw new RangeError(`a threshold of ${threshold} does not fit ${parties.length} parties`);
  }
  const positions = new Set(parties.map((party) => positionOf(run, party)));
  const isPermutation = parties.every((_, at) => positions.has(at + 1)) && assignment.size === parties.length;
  if (!isPermutation) throw new RangeError("the places of an import are 1 to n, one for each party");
  if (utf8ToBytes(keyId).length > KEY_ID_BYTES_MAX) throw new RangeError("key id too long");
  if (epoch < 1) throw new RangeError("an imported key begins with epoch 1");
};

/**
 * Starts the import of a key that a client sharded for the signers of a cluster (wire interface, section C;
 * P23). Every signer opens its entry, broadcasts with echo a statement on its content, and proves that it
 * knows its share; then all deal the key anew, as in a reshare. Needs every party; costs less than a tenth of
 * a second.
 *
 * The client is trusted only with its own key: shares that are inconsistent, or that differ between signers,
 * end in a refusal, the same at every honest signer. The client still has the key and all old shares, which
 * still determine the key; none of them is a share of the cluster.
 *
 * @param config the parameters of key generation, the positions of the parties, and our own entry with its
 * decryption key
 * @returns the start of a run that ends in a key share or a refusal; in a fault that names a peer whose
 * proof, share or confirmation fails; or, with negligible probability, in an abort
 * @throws RangeError when the configuration is invalid: a bug of ours
 */
export const startImport =
  <P extends GroupPoint<P>>({ envelope, decryptionKey, ...run }: ImportConfig<P>): Start<ImportOutcome<P>> =>
  (entropy) => {
    requireFit(run);
    const { self, threshold, assignment, scheme } = run;
    const terms = { self, threshold, assignment, curve: scheme.curve };
    const entry = readOwnEntry(terms, envelope, decryptionKey);
    const own = stateEntry(run, entry, entropy);
    const payload = encode(statementCodec(run.scheme.curve), own);
    const first: Start<ImportOutcome<P>> = () => ({
      kind: "next",
      messages: [{ to: "all", payload }],
      round: round1(run, entry, own),
    });
    return withMaterial(first, () => importMaterial(run, entry))(entropy);
  };

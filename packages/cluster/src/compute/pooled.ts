import {
  decode,
  encode,
  holdsOwnShares,
  type PartyIndex,
  type Presignature,
  presignatureCodec,
  presignatureId,
  Secret,
  type Signature,
  type Start,
  startSigning,
} from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { ComputeResult, ComputeTask } from "./task.ts";

type Exported = Extract<ComputeResult, { readonly kind: "presignature" }>;
type PooledSigning = Extract<ComputeTask, { readonly kind: "open-pooled-signing" }>;

/**
 * Turns a presignature into bytes for the pool. The value has no secret afterwards: the bytes are all there is (P6).
 *
 * @throws when our shares are not those that the peers know of: they would take us for a cheat (INV-7)
 */
export const exportPresignature = (presignature: Presignature): Exported => {
  if (!holdsOwnShares(presignature)) throw new Error("a presignature does not hold its own shares");
  const bytes = new Secret(encode(presignatureCodec, presignature));
  presignature.secret.take();
  return {
    kind: "presignature",
    id: bytesToHex(presignatureId(presignature.session)),
    presignature: bytes,
  };
};

/**
 * The online round with a presignature of the pool, whose tombstone is durable. The digest is one that this signer
 * computed from what it read (P7).
 *
 * @throws when the bytes do not decode, or are of another presignature, key or epoch than the tombstone's: the
 *   store is our own
 */
export const startPooled = (
  self: PartyIndex,
  { id, presignature: bytes, key, digest }: PooledSigning,
): { readonly signers: readonly PartyIndex[]; readonly start: Start<Signature> } => {
  const decoded = decode(presignatureCodec, bytes.take());
  if (!decoded.ok) throw new Error(`a stored presignature does not decode: ${decoded.reason}`);
  const presignature = decoded.value;
  if (bytesToHex(presignatureId(presignature.session)) !== id) {
    throw new Error("the stored presignature is another than its record says (INV-2)");
  }
  const start = startSigning({ self, presignature, digest: digest.bytes, key });
  return { signers: presignature.signers, start };
};

import { ok, type Result } from "@conclave/custody";
import { bytesToNumberBE, equalBytes, hexToBytes } from "@noble/curves/utils.js";
import { TRON_VALIDITY_MS_MAX } from "../build.ts";
import type { TronDraft } from "../transaction.ts";
import { headerAt, type TronBlockHeader, type TronSide } from "./blocks.ts";
import type { TronHttp } from "./http.ts";

/** Number of blocks to which a transaction can refer: it names the last two bytes of the height. */
const REFERABLE = 65_536n;
/** Number of blocks with the same two bytes that are checked, each 65536 blocks (two days) below the other. */
const LOOKS_MAX = 16;

/** The chain's data about the block to which a transaction refers. */
export type Referred =
  /** the transaction can land only above it */
  | { readonly kind: "block"; readonly height: bigint }
  /**
   * every block that it could be has another hash: once the solid chain is past the expiration, the transaction can
   * never land
   */
  | { readonly kind: "none" }
  /** the node does not have all of them */
  | { readonly kind: "unclear" };

/**
 * The block to which a transaction refers. A block includes the transaction if, of the blocks below with these two
 * bytes, the latest one has the named hash, and is at most a day before the expiration (java-tron,
 * Manager.validateTapos and validateCommon).
 *
 * @param head the head of the chain, as this API of the node has it
 */
export const referredBlock = async (
  http: TronHttp,
  side: TronSide,
  {
    refBlockBytes,
    refBlockHash,
    expirationMs,
  }: Pick<TronDraft, "refBlockBytes" | "refBlockHash" | "expirationMs">,
  head: Pick<TronBlockHeader, "height">,
): Promise<Result<Referred>> => {
  let height = head.height - (head.height % REFERABLE) + bytesToNumberBE(refBlockBytes);
  if (height > head.height) height -= REFERABLE;
  let hasAll = true;
  for (let look = 0; look < LOOKS_MAX && height >= 0n; look += 1) {
    const block = await headerAt(http, side, height);
    if (!block.ok) return block;
    if (block.value === undefined) hasAll = false;
    else if (equalBytes(hexToBytes(block.value.id).slice(8, 16), refBlockHash))
      return ok({ kind: "block", height });
    // no block that could include the transaction refers to one below this
    else if (hasAll && block.value.timeMs < expirationMs - TRON_VALIDITY_MS_MAX) return ok({ kind: "none" });
    height -= REFERABLE;
  }
  return ok({ kind: hasAll && height < 0n ? "none" : "unclear" });
};

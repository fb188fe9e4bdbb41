import { ok, type Result } from "@conclave/custody";
import { bytesToNumberBE, equalBytes, hexToBytes } from "@noble/curves/utils.js";
import { TRON_VALIDITY_MS_MAX } from "../build.ts";
import type { TronDraft } from "../transaction.ts";
import { headerAt, type TronBlockHeader, type TronSide } from "./blocks.ts";
import type { TronHttp } from "./http.ts";

/** Blocks that a transaction may refer to: their heights' last two bytes name them. */
const REFERABLE = 65_536n;
/** The number of blocks of the same two bytes that are checked, one 65536 blocks (two days) below the other. */
const LOOKS_MAX = 16;

/** The chain's data of the block that a transaction refers to. */
export type Referred =
  /** the transaction lands above it, or never */
  | { readonly kind: "block"; readonly height: bigint }
  /** each block that it could have been is another one: as of a solid chain past its expiration, it lands never */
  | { readonly kind: "none" }
  /** the node does not have them all */
  | { readonly kind: "unclear" };

/**
 * The block that a transaction refers to. A block takes the transaction when the latest one with these two bytes below it is
 * that very one, and at most a day before its expiration (java-tron, Manager.validateTapos and validateCommon).
 * @param head of the chain as this side of the node has it
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
    // no block that could take it looks for any below this one
    else if (hasAll && block.value.timeMs < expirationMs - TRON_VALIDITY_MS_MAX) return ok({ kind: "none" });
    height -= REFERABLE;
  }
  return ok({ kind: hasAll && height < 0n ? "none" : "unclear" });
};

import { ok, type Result } from "@conclave/custody";
import { bytesToNumberBE, equalBytes, hexToBytes } from "@noble/curves/utils.js";
import type { TronDraft } from "../transaction.ts";
import { headerAt, type TronBlockHeader, type TronSide } from "./blocks.ts";
import type { TronHttp } from "./http.ts";

/** Blocks that a transaction may refer to: their heights' last two bytes name them. */
const REFERABLE = 65_536n;
/** How often a block of the same two bytes is looked at, one 65536 blocks (two days) below the other. */
const LOOKS_MAX = 16;

/**
 * The block that a transaction refers to: it lands above it, or never.
 * @param head of the chain as this side of the node has it
 * @returns undefined when the node has no such block
 */
export const referredBlock = async (
  http: TronHttp,
  side: TronSide,
  { refBlockBytes, refBlockHash }: Pick<TronDraft, "refBlockBytes" | "refBlockHash">,
  head: Pick<TronBlockHeader, "height">,
): Promise<Result<bigint | undefined>> => {
  let height = head.height - (head.height % REFERABLE) + bytesToNumberBE(refBlockBytes);
  if (height > head.height) height -= REFERABLE;
  for (let look = 0; look < LOOKS_MAX && height >= 0n; look += 1) {
    const block = await headerAt(http, side, height);
    if (!block.ok) return block;
    const part = block.value === undefined ? undefined : hexToBytes(block.value.id).slice(8, 16);
    if (part !== undefined && equalBytes(part, refBlockHash)) return ok(height);
    height -= REFERABLE;
  }
  return ok(undefined);
};

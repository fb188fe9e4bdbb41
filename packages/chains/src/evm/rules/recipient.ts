import { type FamilyContent, fail, ok, type Result } from "@conclave/custody";
import { evmTransferSchema } from "./act.ts";
import { checksumEvmAddress } from "./address.ts";

/**
 * Addresses below this number belong to the chain itself: EIP-1352 reserves 0x0000 to 0xffff for precompiles and the like. In
 * use are 0x01 to 0x11 (yellow paper; EIP-152, 4844, 2537), 0x100 (EIP-7951), Arbitrum's 0x64 to 0xff (Nitro, precompiles),
 * BNB's 0x1000 and up (system contracts) and Polygon's 0x1000 to 0x1010. Finding a key for one would take 2^144 tries.
 */
const RESERVED_BELOW = 0x1_0000n;

/** Addresses without a known key, lower case, each with a description. */
const UNUSABLE: ReadonlyMap<string, string> = new Map([
  ["0x000000000000000000000000000000000000dead", "the address that tokens are burnt at"],
  ["0xdead000000000000000042069420694206942069", "an address that tokens are burnt at"],
  ["0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead", "an address that tokens are burnt at"],
  ["0xffffffffffffffffffffffffffffffffffffffff", "an address of all ones, of which nobody has the key"],
  // EIP-4788, 2935, 7002, 7251: the sender of the chain's own calls
  ["0xfffffffffffffffffffffffffffffffffffffffe", "the chain's own system address (EIP-4788)"],
  // ERC-7528
  [
    "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
    "the placeholder that programs write for the native coin (ERC-7528)",
  ],
  ["0x000f3df6d732807ef1319fb7b8bb8522d0beac02", "the chain's contract of beacon roots (EIP-4788)"],
  ["0x0000f90827f1c53a10cb7a02335b175320002935", "the chain's contract of block hashes (EIP-2935)"],
  ["0x00000961ef480eb55e80d19ad83579a64c007002", "the chain's contract of withdrawal requests (EIP-7002)"],
  ["0x0000bbddc7ce488642fb579f8b00f3a590007251", "the chain's contract of consolidation requests (EIP-7251)"],
]);

/** @param address lower case */
const reasonAgainst = (address: string): string | undefined =>
  BigInt(address) < RESERVED_BELOW && UNUSABLE.get(address) === undefined
    ? "an address of the chain itself, below 0x10000, where its precompiled contracts are (EIP-1352)"
    : UNUSABLE.get(address);

/**
 * Judges, without the chain, whether anybody could use a transfer's asset at its recipient: nobody could at the token's own
 * contract, nor at an address without a key.
 * @param content an EVM transfer; any other content passes
 * @returns RecipientUnsuitable (details.field "to", details.why)
 */
export const judgeEvmRecipient = (content: FamilyContent): Result<void> => {
  const parsed = evmTransferSchema.safeParse(content);
  if (!parsed.success) return ok(undefined);
  const transfer = parsed.data;
  const isOwnContract = transfer.kind !== "Native" && transfer.contract === transfer.to;
  const why = isOwnContract ? "the token's own contract" : reasonAgainst(transfer.to);
  return why === undefined
    ? ok(undefined)
    : fail(
        "RecipientUnsuitable",
        { field: "to", why },
        `The recipient ${checksumEvmAddress(transfer.to)} is ${why}: nobody could use what is sent there.`,
      );
};

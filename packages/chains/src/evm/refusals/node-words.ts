import { hexToBigInt, hexToString, isHex, size, slice } from "viem/utils";
import { z } from "zod";

/** A node's error in place of a result. */
export interface NodeError {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

/** Why a node does not execute a call. */
export type CallRefusal =
  /** the contract reverted. @param reason the contract's reason, or a text that it gave none */
  | { readonly kind: "reverted"; readonly reason: string }
  /** the EVM halted without a revert: an old contract's way to refuse, or invalid code */
  | { readonly kind: "halted"; readonly reason: string }
  /** the call's gas is not enough */
  | { readonly kind: "gas" }
  /** the sender cannot pay */
  | { readonly kind: "funds" }
  /** the price is below the current base fee, which is temporary */
  | { readonly kind: "price" };

/** Longest text shown of a node or contract, in characters. */
const WORDS_MAX = 200;
const NO_REASON = "the contract gives no reason";
/** Solidity: keccak256("Error(string)") and keccak256("Panic(uint256)"), four bytes each */
const ERROR_STRING = "0x08c379a0";
const PANIC = "0x4e487b71";
const WORD = 32;

/** https://docs.soliditylang.org, "Panic via assert and Error via require" */
const PANICS: Readonly<Record<number, string>> = {
  1: "an assertion failed",
  17: "an arithmetic operation overflowed",
  18: "a division by zero",
  33: "a value is none of its enum",
  34: "a stored byte array is encoded wrongly",
  49: "pop on an empty array",
  50: "an array index is out of bounds",
  65: "too much memory was asked for",
  81: "a function that was never set was called",
};

/**
 * Words of nodes for a revert: geth, erigon, reth and anvil "execution reverted"; nethermind and OpenEthereum "VM execution
 * error"; Hardhat "Transaction reverted", "reverted with reason string"; Ganache and Frontier "VM Exception while processing
 * transaction".
 */
const REVERTED =
  /execution reverted|transaction reverted|vm execution error|vm exception while processing transaction|reverted with/i;
/**
 * Nodes share no code for a halt, so their words decide: geth, erigon, nethermind, besu; reth and anvil. A halt read as an
 * unavailable node would be retried for ever.
 */
const HALTED =
  /invalid opcode(: [\w ]{1,40})?|(invalid|bad) jump destination|stack (underflow|overflow)|EVM error:? (?!Database|Header|Custom)\w{1,60}|Transaction processing could not be completed due to an exception/i;
/** Words for too little gas, of geth core/error.go, gasestimator; reth; anvil; besu; nethermind; EDR; ganache. */
const GAS =
  /out of gas|OutOfGas|gas required exceeds|intrinsic gas (too low|exceeds)|base fee exceeds gas limit|floor data gas|requires at least [\d]+ gas|gas limit is too low|CallGasCostMoreThanGasLimit|GasFloorMoreThanGasLimit|GasTooLow/i;
/**
 * Words for too little balance: geth, erigon, reth, anvil, nethermind "insufficient funds"; besu "upfront cost"; EDR and
 * ganache "enough funds"; revm "lack of funds".
 */
const FUNDS =
  /insufficient (funds|balance|sender balance)|InsufficientFunds|up-?front cost|enough funds|lack of funds|LackOfFund|OutOfFund/i;
const PRICE =
  /less than (the )?block base fee|below (the )?(current |block |next block's )?base ?fee|(FeeCap|MaxFeePerGas)TooLow|too low for the next block|GasPriceLessThanBasefee|fee cap less than block base fee/i;

const nestedSchema = z.union([
  z.object({ data: z.unknown() }),
  z.object({ result: z.unknown() }),
  z.object({ return: z.unknown() }),
]);
/** Error data of older Ganache: an object keyed by transaction hash. */
const byHashSchema = z.record(z.string(), z.unknown());
const DEPTH_MAX = 3;

/**
 * Finds the contract's returned bytes in an error, wherever a node puts them: `data` itself (geth, reth, anvil), `data.data`
 * (Hardhat), `data.result` and `data[hash].return` (Ganache), after "Reverted " (OpenEthereum, Nethermind).
 */
const returnedIn = (data: unknown, depth = 0): `0x${string}` | undefined => {
  if (typeof data === "string") {
    const bare = data.replace(/^Reverted /, "");
    return isHex(bare) && bare.length % 2 === 0 ? bare : undefined;
  }
  if (depth >= DEPTH_MAX) return undefined;
  const nested = nestedSchema.safeParse(data);
  if (nested.success) {
    for (const inner of Object.values(nested.data)) {
      const found = returnedIn(inner, depth + 1);
      if (found !== undefined) return found;
    }
  }
  const byHash = byHashSchema.safeParse(data);
  if (!byHash.success) return undefined;
  for (const [key, inner] of Object.entries(byHash.data)) {
    const found = /^0x[0-9a-f]{64}$/i.test(key) ? returnedIn(inner, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
};

const plain = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, " ")
    .trim()
    .slice(0, WORDS_MAX);

const readString = (returned: `0x${string}`): string | undefined => {
  try {
    const length = Number(hexToBigInt(slice(returned, 4 + WORD, 4 + 2 * WORD)));
    return length === 0 ? undefined : hexToString(slice(returned, 4 + 2 * WORD, 4 + 2 * WORD + length));
  } catch {
    return undefined;
  }
};

/**
 * A contract's reason for a revert.
 * @param returned the bytes that it returned
 * @returns undefined if there is no reason
 */
const reasonIn = (returned: `0x${string}`): string | undefined => {
  if (size(returned) < 4) return undefined;
  const selector = slice(returned, 0, 4).toLowerCase();
  if (selector === ERROR_STRING) return readString(returned);
  if (selector !== PANIC) return `the error with selector ${selector}`;
  const code = size(returned) >= 4 + WORD ? Number(hexToBigInt(slice(returned, 4, 4 + WORD))) : undefined;
  return code === undefined
    ? undefined
    : `panic ${code}${PANICS[code] === undefined ? "" : ` (${PANICS[code]})`}`;
};

/** The contract's words inside a node's own sentence, for nodes that pass no bytes on. */
const QUOTED =
  /reason string '([^']{1,400})'|custom error '([^']{1,400})'|panic code (0x[0-9a-f]+)|processing transaction: revert (.{1,400})|(?:execution|transaction) reverted(?: with reason)?: (?!0x\b|Some|None)(.{1,400})/i;

const quotedIn = (message: string): string | undefined =>
  QUOTED.exec(message)
    ?.slice(1)
    .find((part) => part !== undefined);

/**
 * Finds out why a node does not execute a call, from the error's code, words and data.
 * @returns undefined if the error says nothing about the call: then the node itself has a problem
 */
export const readCallRefusal = ({ code, message, data }: NodeError): CallRefusal | undefined => {
  const returned = returnedIn(data);
  // EIP-1474 has no code for a revert; 3 comes from go-ethereum and nodes that follow it
  if (code === 3 || REVERTED.test(message)) {
    const halt = HALTED.exec(message)?.[0];
    if (halt !== undefined) return { kind: "halted", reason: halt };
    if (GAS.test(message)) return { kind: "gas" };
    const said = (returned === undefined ? undefined : reasonIn(returned)) ?? quotedIn(message);
    const reason = said === undefined ? "" : plain(said);
    return { kind: "reverted", reason: reason === "" ? NO_REASON : reason };
  }
  if (FUNDS.test(message)) return { kind: "funds" };
  if (GAS.test(message)) return { kind: "gas" };
  if (PRICE.test(message)) return { kind: "price" };
  const halted = HALTED.exec(message)?.[0];
  return halted === undefined ? undefined : { kind: "halted", reason: halted };
};

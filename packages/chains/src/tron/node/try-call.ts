import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { count } from "./blocks.ts";
import { tronHexAddress } from "./hex-address.ts";
import { askTron, HEX_BYTES, nodeWords, type TronHttp, tronAway } from "./http.ts";

const hex = z.string().regex(HEX_BYTES);

const triedSchema = z.object({
  result: z.object({
    result: z.boolean().optional(),
    code: z.string().optional(),
    message: z.string().optional(),
  }),
  energy_used: count,
  constant_result: z.array(hex).default([]),
  transaction: z
    .object({ ret: z.array(z.object({ ret: z.string().optional() })).default([]) })
    .default({ ret: [] }),
});
type TriedBody = z.output<typeof triedSchema>;

/** The outcome of a simulated call. */
export type Tried =
  | { readonly kind: "passed"; readonly energy: bigint; readonly returned: Uint8Array }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "no contract" };

/** Temporary refusals, by the node and not by the chain. */
const NOT_NOW: readonly string[] = [
  "SERVER_BUSY",
  "NO_CONNECTION",
  "NOT_ENOUGH_EFFECTIVE_CONNECTION",
  "BLOCK_UNSOLIDIFIED",
];
/** java-tron's messages for an address without code. */
const NO_CONTRACT = /no contract|not a valid smart contract|contract is not exist|does not exist/i;
/** The selector of Error(string), and the position of its text. */
const ERROR = "08c379a0";
const ERROR_TEXT_AT = 8 + 128;

/** A contract's revert reason. */
export const revertText = (returned: string): string | undefined => {
  if (!returned.startsWith(ERROR)) return undefined;
  const length = Number.parseInt(returned.slice(8 + 64, ERROR_TEXT_AT), 16);
  const text = nodeWords(returned.slice(ERROR_TEXT_AT, ERROR_TEXT_AT + 2 * length));
  return text === "" ? undefined : text;
};

const triedOf = ({ result, energy_used, constant_result, transaction }: TriedBody): Tried => {
  const [returned = ""] = constant_result;
  const words = nodeWords(result.message ?? "");
  const hasFailed = transaction.ret.some(({ ret }) => ret === "FAILED" || ret === "FAILED_CODE");
  if (result.result === true && !hasFailed && words === "") {
    return { kind: "passed", energy: energy_used, returned: Buffer.from(returned, "hex") };
  }
  if (result.result !== true && NO_CONTRACT.test(words)) return { kind: "no contract" };
  const said = [result.code, words, revertText(returned)].filter((part) => part !== undefined && part !== "");
  return { kind: "refused", why: said.join(": ") || "without a reason" };
};

/** The caller's address if there is no caller. */
const NOBODY = `41${"00".repeat(20)}`;

export interface CallToTry {
  /** undefined if the caller makes no difference */
  readonly from?: string;
  readonly contract: string;
  /** such as "balanceOf(address)" */
  readonly selector: string;
  /** the arguments, hex */
  readonly parameter: string;
}

/** Lets the node simulate a call (triggerconstantcontract). */
export const tryTronCall = async (
  http: TronHttp,
  { from, contract, selector, parameter }: CallToTry,
): Promise<Result<Tried>> => {
  const tried = await askTron(http, {
    path: "/wallet/triggerconstantcontract",
    body: {
      owner_address: from === undefined ? NOBODY : tronHexAddress(from),
      contract_address: tronHexAddress(contract),
      function_selector: selector,
      parameter,
    },
    schema: triedSchema,
  });
  if (!tried.ok) return tried;
  const { code } = tried.value.result;
  return code !== undefined && NOT_NOW.includes(code)
    ? tronAway(http.network, `it says ${code}`)
    : ok(triedOf(tried.value));
};

import { fail, lowerHex, ok, type Result, type TransactionBody } from "@conclave/custody";
import type { EvmCall, EvmTransaction } from "./act.ts";
import { parseEvmAddress } from "./address.ts";

const LARGEST = 2n ** 256n - 1n;
const EVM_TEMPLATES = ["Transaction", "Evm", "Eip1559", "EvmLegacy"] as const;
/** EIP-3860: the longest init code, in bytes. */
const INIT_CODE_BYTES_MAX = 49_152;

/**
 * Judges a request to broadcast. For a `Transaction` template, the family's decoder judges the bytes; this function does not
 * read them.
 * @returns the transaction, ready to be authorised; AddressInvalid, AddressChecksum, TransactionInvalid (details.field),
 * FeesContradictory, or TransactionKindNotSupported for the template of another family
 */
export const judgeEvmTransaction = (body: TransactionBody): Result<EvmTransaction> => {
  if (body.kind === "Transaction") return ok({ kind: "Exact", unsigned: lowerHex(body.transaction) });
  return body.kind === "Psbt" || body.kind === "Consolidate"
    ? fail("TransactionKindNotSupported", { field: "kind", kinds: EVM_TEMPLATES })
    : judgeCall(body);
};

/** The templates of transactions on EVM networks. */
type EvmTemplate = Extract<TransactionBody, { readonly kind: "Evm" | "Eip1559" | "EvmLegacy" }>;

const judgeCall = (body: EvmTemplate): Result<EvmCall> => {
  const destination = destinationOf(body);
  if (!destination.ok) return destination;
  const wanted = { value: body.value ?? "0x0", gasLimit: body.gasLimit, nonce: body.nonce?.toString() };
  for (const [field, text] of Object.entries({ ...wanted, ...feeTexts(body) })) {
    if (text !== undefined && BigInt(text) > LARGEST) return invalid(field, "is more than 256 bits hold");
  }
  const nonce = body.nonce === undefined ? undefined : BigInt(body.nonce);
  if (nonce !== undefined && nonce > BigInt(Number.MAX_SAFE_INTEGER)) return invalid("nonce", "is too large");
  const fees = feesOf(body);
  if (!fees.ok) return fees;
  return ok({
    kind: "Call",
    ...destination.value,
    value: BigInt(wanted.value).toString(),
    data: lowerHex(body.data ?? ""),
    ...(nonce === undefined ? {} : { nonce: Number(nonce) }),
    ...(body.gasLimit === undefined ? {} : { gasLimit: decimal(body.gasLimit) }),
    ...(fees.value === undefined ? {} : { fees: fees.value }),
  });
};

/** An absent or empty address deploys the contract in `data`; without data that is a mistake that would burn the value. */
const destinationOf = (body: EvmTemplate): Result<{ readonly to?: string }> => {
  const data = lowerHex(body.data ?? "");
  if (body.to !== undefined && body.to !== "") {
    const to = parseEvmAddress(body.to, "to");
    return to.ok ? ok({ to: to.value }) : to;
  }
  if (data === "") return invalid("to", "is needed, unless data deploys a contract");
  if (body.value !== undefined && BigInt(body.value) !== 0n) {
    return invalid("value", "is not sent with the deployment of a contract");
  }
  if (data.length > 2 * INIT_CODE_BYTES_MAX)
    return invalid("data", `deploys at most ${INIT_CODE_BYTES_MAX} bytes`);
  return ok({});
};

const feeTexts = (body: EvmTemplate): Readonly<Record<string, string | undefined>> => {
  switch (body.kind) {
    case "Evm":
      return {};
    case "Eip1559":
      return { maxFeePerGas: body.maxFeePerGas, maxPriorityFeePerGas: body.maxPriorityFeePerGas };
    case "EvmLegacy":
      return { gasPrice: body.gasPrice };
  }
};

const feesOf = (body: EvmTemplate): Result<EvmCall["fees"]> => {
  switch (body.kind) {
    case "Evm":
      return ok(undefined);
    case "EvmLegacy":
      return ok({
        kind: "Legacy",
        ...(body.gasPrice === undefined ? {} : { gasPrice: decimal(body.gasPrice) }),
      });
    case "Eip1559": {
      const { maxFeePerGas: cap, maxPriorityFeePerGas: tip } = body;
      if (cap !== undefined && tip !== undefined && BigInt(tip) > BigInt(cap)) {
        return fail("FeesContradictory", { field: "maxPriorityFeePerGas" });
      }
      return ok({
        kind: "Eip1559",
        ...(cap === undefined ? {} : { maxFeePerGas: decimal(cap) }),
        ...(tip === undefined ? {} : { maxPriorityFeePerGas: decimal(tip) }),
      });
    }
  }
};

const invalid = (field: string, why: string): Result<never> =>
  fail("TransactionInvalid", { field }, `The transaction is not valid: ${field} ${why}.`);

const decimal = (text: string): string => BigInt(text).toString();

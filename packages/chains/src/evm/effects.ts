import {
  type Effects,
  type FamilyContent,
  type Movement,
  moves,
  NATIVE_ASSET,
  opaque,
  type TypedData,
} from "@conclave/custody";
import { hexToBytes } from "viem/utils";
import { z } from "zod";
import { readTokenCall } from "./calls/token-calls.ts";
import { type AnyUnsigned, decodeAnyUnsigned } from "./decode-any.ts";
import {
  type EvmContent,
  type EvmTransaction,
  type EvmTransfer,
  evmContentSchema,
  evmTransactionSchema,
  evmTransferSchema,
} from "./rules/act.ts";

/** The content of a transaction without its nonce and fees; hex without 0x, lower case. */
interface CallContent {
  /** absent: deploys a contract */
  readonly to?: string | undefined;
  /** wei, as digits */
  readonly value: string;
  readonly data: string;
}

/** Any content that a request may hold for a wallet or key of an EVM network. */
const anySchema: z.ZodType<EvmTransfer | EvmTransaction | EvmContent> = z.union([
  evmTransferSchema,
  evmTransactionSchema,
  evmContentSchema,
]);

/**
 * The effects of a request, for policies to judge: the moved assets and their receivers, or that they are unknown. It decodes
 * call data too, so that a transfer inside it counts like an explicit one.
 * @param chainId of the network for which the request is judged; the effects on another chain are unknown
 */
export const effectsOf = (chainId: number | undefined, familyContent: FamilyContent): Effects => {
  const parsed = anySchema.safeParse(familyContent);
  if (!parsed.success) return opaque("the request cannot be read");
  const content = parsed.data;
  switch (content.kind) {
    case "Native":
      return moves({ asset: NATIVE_ASSET, amount: content.amount, recipient: content.to });
    case "Erc20":
      return moves({ asset: content.contract, amount: content.amount, recipient: content.to });
    case "Erc721":
      return moves({ asset: content.contract, amount: undefined, recipient: content.to });
    case "Call":
      return effectsOfCall(content);
    case "Exact":
      return effectsOfUnsigned(chainId, content.unsigned);
    case "transaction":
      return effectsOfUnsigned(chainId, content.transaction);
    case "eip712":
      return effectsOfTypedData(chainId, content.typedData);
    case "eip7702":
      return opaque("the account takes the code of a contract, which may do anything with it");
    case "message":
      return opaque("a message does not tell what it is for");
  }
};

const effectsOfCall = ({ to, value, data }: CallContent): Effects => {
  if (to === undefined) return opaque("the transaction deploys a contract");
  const paid: Movement = { asset: NATIVE_ASSET, amount: value, recipient: to };
  if (data === "") return moves(paid);
  const payments = value === "0" ? [] : [paid];
  const called = readTokenCall(to, `0x${data}`);
  return called === undefined
    ? { movements: payments, unknown: "the call data cannot be read" }
    : moves(...payments, called);
};

const effectsOfUnsigned = (chainId: number | undefined, digits: string): Effects => {
  const decoded = decodeAnyUnsigned(hexToBytes(`0x${digits}`));
  return decoded.ok ? effectsOfDecoded(chainId, decoded.value) : opaque(decoded.problem.message);
};

/** The effects of a decoded transaction. */
export const effectsOfDecoded = (
  chainId: number | undefined,
  { to, value, data, chainId: ofTransaction }: AnyUnsigned,
): Effects => {
  if (chainId === undefined || ofTransaction !== BigInt(chainId)) {
    return opaque("the transaction is for another chain");
  }
  return effectsOfCall({ to, value: value.toString(), data: data.slice(2) });
};

/** The fields of an EIP-2612 permit, in their order. */
const PERMIT = "owner:address,spender:address,value:uint256,nonce:uint256,deadline:uint256";

/** A permit lets its spender take tokens. The effects of other typed data are known only to the contracts that read it. */
const effectsOfTypedData = (chainId: number | undefined, data: TypedData): Effects => {
  const unknown = opaque("the typed data cannot be read");
  const fields = data.types[data.primaryType]?.map(({ name, type }) => `${name}:${type}`).join();
  const { domain, message } = data;
  const { spender, value } = message;
  const isPermit = data.primaryType === "Permit" && fields === PERMIT;
  if (!isPermit || domain.verifyingContract === undefined || domain.chainId === undefined) return unknown;
  if (chainId === undefined || BigInt(domain.chainId) !== BigInt(chainId)) {
    return opaque("the typed data are for another chain");
  }
  if (typeof spender !== "string" || (typeof value !== "string" && typeof value !== "number")) return unknown;
  if (!/^(0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/.test(String(value))) return unknown;
  return moves({
    asset: domain.verifyingContract.toLowerCase(),
    amount: BigInt(value).toString(),
    recipient: spender.toLowerCase(),
  });
};

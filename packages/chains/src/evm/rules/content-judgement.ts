import {
  fail,
  lowerHex,
  type Network,
  ok,
  type Result,
  type SignatureBody,
  type TypedData,
} from "@conclave/custody";
import { needsNetwork } from "../../rules/exact-judgement.ts";
import type { EvmContent } from "./act.ts";
import { parseEvmAddress } from "./address.ts";

const EVM_CONTENTS = ["Hash", "Message", "Eip191", "Eip712", "Eip7702", "Transaction"] as const;

/** @returns SignatureKindNotSupported, TypedDataInvalid, AddressInvalid, AddressChecksum, or InvalidBody when a transaction names no network */
export const judgeEvmContent = (network: Network | undefined, body: SignatureBody): Result<EvmContent> => {
  switch (body.kind) {
    case "Hash":
    case "Psbt":
      return fail("SignatureKindNotSupported", { field: "kind", kinds: EVM_CONTENTS });
    case "Message":
    case "Eip191":
      return ok({ kind: "message", message: lowerHex(body.message) });
    case "Eip712":
      return typedContent(body);
    case "Eip7702": {
      const address = parseEvmAddress(body.address, "address");
      const { nonce, chainId } = body;
      return address.ok ? ok({ kind: "eip7702", address: address.value, nonce, chainId }) : address;
    }
    case "Transaction":
      return network === undefined
        ? needsNetwork()
        : ok({ kind: "transaction", network, transaction: lowerHex(body.transaction) });
  }
};

const typedContent = ({
  types,
  domain,
  message,
}: Extract<SignatureBody, { readonly kind: "Eip712" }>): Result<EvmContent> => {
  const primaryType = primaryTypeOf(types);
  return primaryType === undefined
    ? fail("TypedDataInvalid", { field: "types" }, "One type, and one alone, must be held by no other.")
    : ok({ kind: "eip712", typedData: { primaryType, types, domain, message } });
};

const DOMAIN_TYPE = "EIP712Domain";

/**
 * The struct to sign: the only one that no other struct contains. Clients do not name it (ethers derives it in the same way).
 *
 * @returns undefined when there is none, or more than one
 */
export const primaryTypeOf = (types: TypedData["types"]): string | undefined => {
  const held = new Set(
    Object.entries(types).flatMap(([holder, fields]) =>
      fields.map(({ type }) => type.replace(/\[.*$/, "")).filter((type) => type !== holder),
    ),
  );
  const roots = Object.keys(types).filter((type) => type !== DOMAIN_TYPE && !held.has(type));
  return roots.length === 1 ? roots[0] : undefined;
};

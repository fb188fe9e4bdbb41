import { lowerHex } from "../../chain-request/hexadecimal.ts";
import { fail, ok, type Result } from "../../errors.ts";
import type { Network } from "../../network.ts";
import type { SignatureBody } from "../../signature/signature-body.ts";
import { needsNetwork } from "../exact-judgement.ts";
import type { EvmContent } from "./act.ts";
import { parseEvmAddress } from "./address.ts";
import type { Eip712Body } from "./signature-body.ts";
import { primaryTypeOf } from "./typed-data.ts";

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

const typedContent = ({ types, domain, message }: Eip712Body): Result<EvmContent> => {
  const primaryType = primaryTypeOf(types);
  return primaryType === undefined
    ? fail("TypedDataInvalid", { field: "types" }, "One type, and one alone, must be held by no other.")
    : ok({ kind: "eip712", typedData: { primaryType, types, domain, message } });
};

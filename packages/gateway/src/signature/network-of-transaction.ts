import {
  fail,
  familyOf,
  type Network,
  networkSchema,
  ok,
  type Problem,
  type Result,
  type SignatureBody,
} from "@conclave/custody";
import type { ReadableChains, ReadableKey } from "../reading/readable.ts";
import { judgeBody } from "./judge-body.ts";

const refuse = (path: string, message: string): Result<never> =>
  fail("InvalidBody", { issues: [{ path, message }] }, `${path} ${message}`);

/**
 * The network of a transaction where the request names only a key and a family of chains: the one served network for
 * which the transaction can be valid. Most families write their chain into a transaction.
 *
 * @returns undefined for content that is no transaction; InvalidBody when no network of the family is served, or the
 * transaction fits several; otherwise the refusal of its one network, or of the first
 */
export const networkOfTransaction = (
  readable: ReadableChains,
  key: ReadableKey,
  body: SignatureBody,
): Result<Network | undefined> => {
  const { kind, blockchainKind } = body;
  if (kind !== "Transaction" || blockchainKind === undefined) return ok(undefined);
  const served = [...readable.chains.keys()]
    .map((name) => networkSchema.parse(name))
    .filter((network) => familyOf(network) === blockchainKind);
  const fitting: Network[] = [];
  let refusal: Problem | undefined;
  for (const network of served) {
    const judged = judgeBody(readable, { ...key, network }, body, []);
    if (judged.ok) fitting.push(network);
    else refusal ??= judged.problem;
  }
  const [network, ...others] = fitting;
  if (network !== undefined && others.length === 0) return ok(network);
  if (network !== undefined)
    return refuse("network", `is needed: the transaction may be of ${fitting.join(", ")}`);
  return refusal === undefined
    ? refuse("blockchainKind", "names chains of which none is served here")
    : { ok: false, problem: refusal };
};

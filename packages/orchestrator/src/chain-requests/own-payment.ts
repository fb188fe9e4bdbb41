import { type ChainRequest, type ChainRequestEvent, ok, type Result } from "@conclave/custody";
import { authorisedOf } from "./authorised.ts";
import type { RequestWork } from "./step.ts";

type Adopted = Extract<ChainRequestEvent, { readonly kind: "Adopted" }>;

const reads = (
  { chain: { family, node } }: Pick<RequestWork, "chain">,
  request: ChainRequest,
  unsigned: Uint8Array,
) => family.read(node.network, unsigned, authorisedOf(request));

/** Whether a transaction is what is authorised. A cap that was lowered meanwhile makes no other payment of it. */
export const isRead = (
  work: Pick<RequestWork, "chain">,
  request: ChainRequest,
  unsigned: Uint8Array,
): boolean => {
  const read = reads(work, request, unsigned);
  return read.ok || read.problem.code === "FeeAboveCap";
};

/**
 * Bytes that this process did not build as a request's transaction.
 * @returns why they are none that may be taken over: they are not what is authorised, or cost more than the network allows now
 */
export const adoptedAs = (
  work: Pick<RequestWork, "chain" | "wallet">,
  request: ChainRequest,
  unsigned: Uint8Array,
): Result<Adopted> => {
  const read = reads(work, request, unsigned);
  if (!read.ok) return read;
  const described = work.chain.family.describe(unsigned, work.wallet.address);
  if (!described.ok) return described;
  const { exclusion } = read.value;
  return ok({ kind: "Adopted", ...described.value, exclusion, unsignedTransaction: unsigned });
};

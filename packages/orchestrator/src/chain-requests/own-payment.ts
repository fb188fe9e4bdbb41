import { type ChainRequest, type ChainRequestEvent, ok, type Result } from "@conclave/custody";
import { authorisedOf } from "./authorised.ts";
import type { RequestWork } from "./step.ts";

type Adopted = Extract<ChainRequestEvent, { readonly kind: "Adopted" }>;

const reads = (
  { chain: { family, node } }: Pick<RequestWork, "chain">,
  request: ChainRequest,
  unsigned: Uint8Array,
) => family.read(node.network, unsigned, authorisedOf(request));

/** Whether a transaction does what is authorised. A fee cap that was lowered meanwhile does not count against it. */
export const isRead = (
  work: Pick<RequestWork, "chain">,
  request: ChainRequest,
  unsigned: Uint8Array,
): boolean => {
  const read = reads(work, request, unsigned);
  return read.ok || read.problem.code === "FeeAboveCap";
};

/**
 * Judges bytes that another process built for a request.
 * @returns the reason if they may not be taken over: they do not do what is authorised, or cost more than the network
 * allows now
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

import type { ChainFamily, ChainNode } from "@conclave/chains";

/** A network that this process serves: its family and its node. */
export interface ServedChain {
  readonly family: ChainFamily;
  readonly node: ChainNode;
}

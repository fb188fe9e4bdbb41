/** A network that the cluster serves; one entry of its networks file, parsed by whoever read it. */
export interface EvmNetwork {
  /** the name of the interface, such as "EthereumSepolia" */
  readonly network: string;
  readonly family: "Evm";
  readonly chainId: number;
  readonly rpcUrl: string;
  /** blocks, the one that holds the transaction included */
  readonly confirmations: number;
  /** wei, as digits: the most that one transaction may cost in fees, whole */
  readonly feeCap: string;
}

/** One member a family; a new chain adds its own. */
export type Network = EvmNetwork;

import type { Network, NetworkFamily } from "@conclave/custody";
import type { ProcessSpec } from "../host/supervised-process.ts";
import type { ChainMove, ChainTip } from "./chain-move.ts";

/** The start options of a node's process. */
export interface NodeLaunch {
  /** a folder of the node's own, in which the chain survives its process */
  readonly folder: string;
  readonly logFile: string;
  /** the loopback port of the interface that the chain's SDK uses */
  readonly port: number;
  /** the loopback port of a ledger's admin endpoint */
  readonly adminPort: number;
  /** any text; a simulated chain derives its random values, such as its genesis hash, from it */
  readonly seed: string;
  readonly blockTimeSeconds: number;
}

/** Where a running node is reached. */
export interface NodeUrls {
  readonly url: string;
  readonly adminUrl: string;
}

/** A network of the API with a local node. */
export interface LocalNetwork {
  readonly network: Network;
  readonly family: NetworkFamily;
  /** decimal places of the native coin */
  readonly decimals: number;
  /** a round price of one native coin in USD and EUR, for trying out policies */
  readonly price: { readonly USD: string; readonly EUR: string };
  /** the settings that make a process of services/ledger run this chain; empty if the node is not a ledger */
  readonly chainSettings: Readonly<Record<string, string>>;
  /** the name of its process, such as "anvil-Polygon" */
  readonly process: string;
  /** The network's entry in the networks file, in the form of its family. */
  entry(url: string, seed: string): Readonly<Record<string, unknown>>;
  spec(launch: NodeLaunch): ProcessSpec;
  /** Whether the node answers yet. */
  answers(urls: NodeUrls): Promise<boolean>;
  /**
   * Pays an account in the native coin.
   * @param amount in its smallest unit, more than 0
   * @throws LaunchError with the node's message when it refuses
   */
  fund(urls: NodeUrls, address: string, amount: bigint): Promise<void>;
  /** why no block is ever replaced; undefined if the node can replace its latest ones */
  readonly finality: string | undefined;
  /**
   * Makes blocks, moves the chain's clock, or replaces blocks.
   * @returns the latest block afterwards
   * @throws LaunchError with the node's message when it refuses
   */
  move(urls: NodeUrls, move: ChainMove): Promise<ChainTip>;
}

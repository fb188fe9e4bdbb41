import type { Network, NetworkFamily } from "@conclave/custody";
import type { ProcessSpec } from "../host/supervised-process.ts";

/** The start options of a node's process. */
export interface NodeLaunch {
  /** a folder of its own, where the chain outlives the process */
  readonly folder: string;
  readonly logFile: string;
  /** the port on loopback of the interface that the chain's SDK speaks */
  readonly port: number;
  /** the port on loopback of a ledger's admin endpoint */
  readonly adminPort: number;
  /** any text, from which a simulated chain derives its random values, such as its genesis hash */
  readonly seed: string;
  readonly blockTimeSeconds: number;
}

/** Where a running node is reached. */
export interface NodeUrls {
  readonly url: string;
  readonly adminUrl: string;
}

/** A network of the interface with a node of its own on this machine. */
export interface LocalNetwork {
  readonly network: Network;
  readonly family: NetworkFamily;
  /** decimal places of the native coin */
  readonly decimals: number;
  /** a round price of one native coin, for trying out policies, in USD and EUR */
  readonly price: { readonly USD: string; readonly EUR: string };
  /** the settings of services/ledger by which a process has this chain, wherever it runs; none of a node that is no ledger */
  readonly chainSettings: Readonly<Record<string, string>>;
  /** the name of its process, such as "anvil-Polygon" */
  readonly process: string;
  /** Its entry in the networks file, in the form of its family. */
  entry(url: string, seed: string): Readonly<Record<string, unknown>>;
  spec(launch: NodeLaunch): ProcessSpec;
  /** Whether the node answers already. */
  answers(urls: NodeUrls): Promise<boolean>;
  /**
   * Gives an account money of the native coin.
   * @param amount in its smallest unit, more than 0
   * @throws LaunchError in the node's words when it refuses
   */
  fund(urls: NodeUrls, address: string, amount: bigint): Promise<void>;
}

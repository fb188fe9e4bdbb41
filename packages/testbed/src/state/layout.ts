import { join } from "node:path";

/** The paths of one cluster's files. All are in one folder, which version control ignores. */
export interface StateLayout {
  readonly root: string;
  readonly cluster: string;
  readonly roster: string;
  readonly networks: string;
  /** the prices of assets */
  readonly prices: string;
  /** the identity providers at which employees log in */
  readonly identityProviders: string;
  readonly ca: string;
  readonly gateway: string;
  readonly orchestrator: string;
  readonly developer: string;
  readonly logs: string;
  readonly nats: string;
  readonly postgres: string;
  /** of the first network's node */
  readonly chain: string;
  /** the files about running processes, which the cluster's supervisor writes */
  readonly run: string;
  /** the URL of the running cluster's database, for its operator */
  readonly databaseUrl: string;
  /** addresses and credentials of the running cluster */
  readonly description: string;
  /** the tokens that its operator has made on local networks */
  readonly tokens: string;
  signer(index: number): string;
  /** of any other network's node */
  node(network: string): string;
  log(process: string): string;
  /** one process's own roster and networks file, with the addresses of proxies */
  links(process: string): string;
  /** the orders of faults for one process */
  faults(process: string): string;
}

export const stateLayout = (root: string): StateLayout => ({
  root,
  cluster: join(root, "cluster"),
  roster: join(root, "cluster", "roster.json"),
  networks: join(root, "cluster", "networks.json"),
  prices: join(root, "cluster", "prices.json"),
  identityProviders: join(root, "cluster", "identity-providers.json"),
  ca: join(root, "cluster", "ca.crt"),
  gateway: join(root, "gateway"),
  orchestrator: join(root, "orchestrator"),
  developer: join(root, "developer"),
  logs: join(root, "logs"),
  nats: join(root, "nats"),
  postgres: join(root, "postgres"),
  chain: join(root, "chain"),
  run: join(root, "run"),
  databaseUrl: join(root, "run", "database.url"),
  description: join(root, "run", "cluster.json"),
  tokens: join(root, "tokens.json"),
  signer: (index) => join(root, `signer-${index}`),
  node: (network) => join(root, "chains", network),
  log: (process) => join(root, "logs", `${process}.log`),
  links: (process) => join(root, "links", process),
  faults: (process) => join(root, "faults", process),
});

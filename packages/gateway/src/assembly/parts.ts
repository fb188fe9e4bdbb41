import type { KeyObject } from "node:crypto";
import type { NodeRegistry } from "@conclave/chains/node";
import type {
  Bus,
  Database,
  DatabaseOptions,
  EnabledNetworks,
  Roster,
  TokenVerifier,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import type { ReadingThread } from "../reading/reading-thread.ts";
import type { TokenIssuer } from "../token-issuer.ts";
import type { ActionTokens } from "../user-action/action-tokens.ts";

/** Makes and reads tokens. A process signs with WebCrypto, whose threads answer in no fixed order; a simulated world hands in other tokens. */
export interface TokenParts {
  readonly verify: TokenVerifier;
  readonly issuer: TokenIssuer;
  readonly actions: ActionTokens;
}

/** Parts that the use cases get unchanged. */
type HandedOn = Pick<
  Dependencies,
  | "world"
  | "logger"
  | "metrics"
  | "families"
  | "prices"
  | "decoys"
  | "identityProviders"
  | "webhooks"
  | "relyingParties"
  | "pageOrigins"
  | "proxies"
  | "userActionsRequired"
  | "requestsPerMinute"
>;

/** The parts of a gateway: a process opens them, and so does a simulated world. */
export interface GatewayParts extends HandedOn {
  readonly roster: Roster;
  readonly networks: EnabledNetworks;
  readonly nodes: NodeRegistry;
  /** the private Ed25519 key that signs authorisations; signers pin its public half */
  readonly authorityKey: KeyObject;
  readonly tokens: TokenParts;
  /** called once, before `prepareDatabase`; the database is closed at the stop, or when the start fails */
  readonly openDatabase: (
    listeners: Required<Pick<DatabaseOptions, "announce" | "onBreak" | "onUnreadable">>,
  ) => Database;
  /** Waits until the database answers, and makes it ready: tables, rights, first organisation. */
  readonly prepareDatabase: (database: Database) => Promise<void>;
  /** called once the database is ready; the bus is closed at the stop, or when the start fails */
  readonly connectBus: () => Promise<Bus>;
  /** reads long bodies, and is closed with the gateway; where it is left out, the calling thread reads them */
  readonly reader?: ReadingThread | undefined;
}

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

/** Makes and reads tokens. WebCrypto signs those of a process on threads of its own, so a simulated world hands in others. */
export interface TokenParts {
  readonly verify: TokenVerifier;
  readonly issuer: TokenIssuer;
  readonly actions: ActionTokens;
}

/** The settings and judgements that the use cases get as they are. */
type HandedOn = Pick<
  Dependencies,
  | "world"
  | "logger"
  | "metrics"
  | "families"
  | "prices"
  | "decoys"
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
  /** called once, at first; the gateway closes the database when it stops, and when its start fails */
  readonly openDatabase: (
    listeners: Required<Pick<DatabaseOptions, "announce" | "onBreak" | "onUnreadable">>,
  ) => Database;
  /**
   * Waits until the database answers, and makes it ready: tables, rights, first organisation.
   * @param ended aborts the wait when the start fails elsewhere
   */
  readonly prepareDatabase: (database: Database, ended: AbortSignal) => Promise<void>;
  /** called once the database is ready; the gateway closes the bus as it closes the database */
  readonly connectBus: () => Promise<Bus>;
  /** reads long bodies, and is closed with the gateway; where it is left out, the calling thread reads them */
  readonly reader?: ReadingThread | undefined;
}

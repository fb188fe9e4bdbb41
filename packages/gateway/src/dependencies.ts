import type { ChainNode, FamilyRegistry } from "@conclave/chains";
import type { Network, Prices, World } from "@conclave/custody";
import type {
  Application,
  Bus,
  Database,
  DatabaseClock,
  FairTurns,
  Logger,
  Metrics,
  Principal,
  ProcessHealth,
  Roster,
  Sender,
  SignersListing,
  TokenVerifier,
  WebhookSecrets,
} from "@conclave/platform";
import type { AdmissionLimits } from "./admission/limits.ts";
import type { SharedDatabase } from "./admission/shared-database.ts";
import type { Authority } from "./authority.ts";
import type { RelyingParty } from "./credential/attestation.ts";
import type { CallerBindings, Proxies } from "./http/caller-address.ts";
import type { PageOrigins } from "./http/page-origin.ts";
import type { Decoys } from "./login/decoys.ts";
import type { Viewer } from "./people/viewer.ts";
import type { BodyReading } from "./reading/body-reading.ts";
import type { TokenIssuer } from "./token-issuer.ts";
import type { UserActions } from "./user-action/user-actions.ts";

/** The gateway's questions to a chain. */
export type ReadableChain = Pick<
  ChainNode,
  | "network"
  | "nextSequence"
  | "describeToken"
  | "balance"
  | "tokenBalance"
  | "tokenOwner"
  | "callContract"
  | "callFunction"
  | "feeLevels"
  | "judgeRecipient"
>;

/** The dependencies of the application; tests pass their own. */
export interface Dependencies {
  /** its connections are shared by the organisations on whose behalf transactions run */
  readonly database: Database;
  readonly onBehalfOf: SharedDatabase["onBehalfOf"];
  /** turns, by key id, of transactions that judge a request of the key */
  readonly keyTurns: FairTurns;
  /** turns, by organisation, of questions to nodes about contracts that callers choose */
  readonly contractTurns: FairTurns;
  readonly bus: Pick<Bus, "connected" | "hear">;
  readonly verifyToken: TokenVerifier;
  readonly authority: Authority;
  readonly userActions: UserActions;
  readonly issuer: TokenIssuer;
  /** made-up credentials, which a login challenge shows for a name that nobody has */
  readonly decoys: Decoys;
  /** where authenticators may be registered, beside the organisation's applications; clients receive the first */
  readonly relyingParties: readonly [RelyingParty, ...RelyingParty[]];
  /** pages of which other origins may call the API */
  readonly pageOrigins: PageOrigins;
  /** of which the address of who signs in is believed */
  readonly proxies: Proxies;
  /** whether changes without a signed user action are refused */
  readonly userActionsRequired: boolean;
  /** t of the cluster: how many signers sign together */
  readonly threshold: number;
  /** the networks that this cluster serves */
  readonly networks: readonly Network[];
  /** the chain families that there are */
  readonly families: FamilyRegistry;
  /** their nodes, by network: asked for balances and fees, and for what makes an answer better */
  readonly chains: ReadonlyMap<string, ReadableChain>;
  /** reads what callers want signed; long bodies are read beside the main thread */
  readonly reading: BodyReading;
  /** the prices of assets, for policies on amounts */
  readonly prices: Prices;
  readonly world: World;
  /** the time of the same world */
  readonly now: () => Date;
  /** the clock of that world, compared with the database's */
  readonly databaseClock: Pick<DatabaseClock, "aheadMs">;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: ProcessHealth;
  /** whom clients encrypt shares of imported keys to; no cluster where the roster has no keys for it */
  readonly signers: SignersListing;
  /** the signers' keys for the shares of an imported key */
  readonly roster: Pick<Roster, "clusterId" | "signers" | "threshold" | "change">;
  /** requests that an organisation may send in a minute; undefined for no limit */
  readonly requestsPerMinute: number | undefined;
  /** how many requests there may be at a time */
  readonly admission: AdmissionLimits;
  readonly webhooks: {
    readonly secrets: WebhookSecrets;
    /** for pings; events are delivered by the orchestrator */
    readonly send: Sender;
    readonly allowPrivateAddresses: boolean;
  };
  /** how long POST /wallets waits for the signers */
  readonly settlementWaitMs: number;
  /** aborted when the process stops: nobody waits for a settlement any longer */
  readonly stopping: AbortSignal;
}

/** The values that middleware sets for the handlers of one request. */
export interface GatewayEnv {
  readonly Bindings: CallerBindings;
  readonly Variables: {
    httpRequestId: string;
    caller: Viewer;
    principal: Principal;
    /** the application that the request names, if it is registered */
    application: Application | undefined;
  };
}

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
import type { IdentityProviders } from "./login/identity-provider/identity-providers.ts";
import type { Viewer } from "./people/viewer.ts";
import type { BodyReading } from "./reading/body-reading.ts";
import type { TokenIssuer } from "./token-issuer.ts";
import type { UserActions } from "./user-action/user-actions.ts";

/** The part of a chain's node that the gateway asks. */
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
  | "ofChain"
  | "head"
  | "sight"
  | "arrivals"
>;

/** The dependencies of the application; tests pass their own. */
export interface Dependencies {
  /** organisations on whose behalf transactions run share its connections */
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
  /** makes the decoys that a login challenge shows for an unknown username */
  readonly decoys: Decoys;
  readonly identityProviders: IdentityProviders;
  /** relying parties of authenticators, besides those of the organisation's applications; clients receive the first */
  readonly relyingParties: readonly [RelyingParty, ...RelyingParty[]];
  /** origins whose pages may call the API */
  readonly pageOrigins: PageOrigins;
  /** proxies whose header names the address of a client that signs in */
  readonly proxies: Proxies;
  /** whether changes without a signed user action are refused */
  readonly userActionsRequired: boolean;
  /** t of the cluster: number of signers that sign together */
  readonly threshold: number;
  /** the networks that this cluster serves */
  readonly networks: readonly Network[];
  /** all chain families */
  readonly families: FamilyRegistry;
  /** their nodes, by network: asked for balances, fees and optional details of answers */
  readonly chains: ReadonlyMap<string, ReadableChain>;
  /** reads content that callers want signed; long bodies are read on another thread */
  readonly reading: BodyReading;
  /** the prices of assets, for policies on amounts */
  readonly prices: Prices;
  readonly world: World;
  /** the current time of the same world */
  readonly now: () => Date;
  /** the clock of that world, compared with the database's */
  readonly databaseClock: Pick<DatabaseClock, "aheadMs">;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: ProcessHealth;
  /** the signers to which clients encrypt shares of imported keys; no cluster where the roster has no import keys */
  readonly signers: SignersListing;
  /** the roster's members, for key operations */
  readonly roster: Pick<Roster, "clusterId" | "signers" | "threshold" | "change">;
  /** limit on an organisation's requests in a minute; undefined for none */
  readonly requestsPerMinute: number | undefined;
  /** limits on concurrent requests */
  readonly admission: AdmissionLimits;
  readonly webhooks: {
    readonly secrets: WebhookSecrets;
    /** sends pings; the orchestrator delivers events */
    readonly send: Sender;
    readonly allowPrivateAddresses: boolean;
  };
  /** how long POST /wallets waits for the signers */
  readonly settlementWaitMs: number;
  /** aborted when the process stops, to end all waits for a settlement */
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

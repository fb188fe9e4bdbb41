import { commands } from "./shared/commands.ts";
import { followedRequest } from "./shared/followed-request.ts";
import { lyingOrchestrator } from "./shared/lying-orchestrator.ts";
import { policies } from "./shared/policies.ts";
import { shareOneCluster } from "./shared/shared-cluster.ts";
import { signatures } from "./shared/signatures.ts";
import { strangers } from "./shared/strangers.ts";
import { transactions } from "./shared/transactions.ts";
import { transfers } from "./shared/transfers.ts";

// Tests that kill nothing and need nothing special: the start of a cluster is costly.
shareOneCluster();

transfers();
followedRequest();
signatures();
policies();
lyingOrchestrator();
strangers();
commands();
// last: it holds blocks back
transactions();

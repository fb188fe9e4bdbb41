import { followFaultOrders } from "@conclave/platform/testing/faults";
import { runGateway } from "../run.ts";

// the service as it is, in a process in which things go wrong when they are ordered to
followFaultOrders();
void runGateway((code) => process.exit(code));

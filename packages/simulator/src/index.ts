export { type EndedWorld, runCampaign } from "./campaign/campaign.ts";
export { drawWorld } from "./campaign/draw-world.ts";
export { failureText } from "./campaign/failure-text.ts";
export { type CampaignSettings, readCampaignSettings } from "./campaign/settings.ts";
export { openWorldPool } from "./workers/world-pool.ts";
export { runWorld, whyNotRun } from "./world/run-world.ts";

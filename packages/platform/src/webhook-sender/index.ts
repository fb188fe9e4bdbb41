export { isPrivateAddress } from "./private-address.ts";
export {
  loadWebhookSecrets,
  makeWebhookKey,
  makeWebhookSecret,
  makeWebhookSecrets,
  type WebhookSecrets,
  webhookSecretsOf,
} from "./secrets.ts";
export { makeSender, type Sender, type SenderOptions } from "./sender.ts";
export { isPrivateTarget } from "./target.ts";

-- Who tells of a change looks up the webhooks that are to hear of it. One that was deleted since then is left out: else the whole change
-- is refused, by the reference from its delivery, for as long as the deletion of a long queue takes. Locked as that reference locks it, so
-- that it stays until the change is committed. The owner's rights, because orchestrators may lock no webhook.
create function leave_out_deleted_webhook() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
  perform from public.webhooks where id = new.webhook_id for key share;
  return case when found then new end;
end
$$;
create trigger leave_out_deleted before insert on webhook_deliveries for each row execute function leave_out_deleted_webhook();

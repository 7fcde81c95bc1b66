-- An intention has one trigger of four kinds: {"at": seconds}, {"file": glob}, {"branch": glob}, {"words": text}.
-- Of several the first of these stays. What recurred comes once more, at about its next time; what waited for more is due at once, so that a person is told of it.
UPDATE intention SET status = 'cancelled' WHERE status = 'expired';
UPDATE intention SET
  reminders = iif(json_extract(trigger_form, '$.every') IS NULL, reminders, 0),
  trigger_form = CASE
    WHEN json_extract(trigger_form, '$.at') IS NOT NULL THEN json_object('at', json_extract(trigger_form, '$.at'))
    WHEN json_extract(trigger_form, '$.file') IS NOT NULL THEN json_object('file', json_extract(trigger_form, '$.file'))
    WHEN json_extract(trigger_form, '$.branch') IS NOT NULL THEN json_object('branch', json_extract(trigger_form, '$.branch'))
    WHEN json_extract(trigger_form, '$.words') IS NOT NULL THEN json_object('words', json_extract(trigger_form, '$.words'))
    WHEN json_extract(trigger_form, '$.after') IS NOT NULL
      THEN json_object('at', made_at + json_extract(trigger_form, '$.after'))
    WHEN json_extract(trigger_form, '$.every') IS NOT NULL
      THEN json_object('at', coalesce(reminded_at, made_at) + CASE json_extract(trigger_form, '$.every[0]')
        WHEN 'seconds' THEN json_extract(trigger_form, '$.every[1]')
        WHEN 'daily' THEN 86400.0 WHEN 'weekly' THEN 604800.0 ELSE 2592000.0 END)
    WHEN json_extract(trigger_form, '$.event[1]') <> ''
      THEN json_object('words', json_extract(trigger_form, '$.event[1]'))
    WHEN json_extract(trigger_form, '$.within[1]') <> ''
      THEN json_object('words', json_extract(trigger_form, '$.within[1]'))
    WHEN json_extract(trigger_form, '$.any[1].file') = json_extract(trigger_form, '$.any[0].file') || '/**'
      THEN json_object('file', json_extract(trigger_form, '$.any[0].file') || '{,/**}')
    ELSE json_object('at', 0.0)
  END;

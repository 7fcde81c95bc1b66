// reverie's plugin for OpenCode: carries events to hook.sh and its answers back. --reverie
// Fails open: whatever goes wrong is nobody's business but ours.
import { spawn } from "node:child_process"

const HOOK = "{hook}"
const LONGEST = 2000 // milliseconds that a hook may take

// One event to the hook; what it prints, or nothing.
const carried = (event) =>
  new Promise((resolve) => {
    try {
      const hook = spawn("/bin/sh", [HOOK, "opencode", "--reverie"], { stdio: ["pipe", "pipe", "ignore"] })
      const timer = setTimeout(() => hook.kill(), LONGEST)
      const parts = []
      hook.stdout.on("data", (part) => parts.push(part))
      hook.stdin.on("error", () => {})
      hook.on("error", () => resolve(""))
      hook.on("close", () => {
        clearTimeout(timer)
        resolve(Buffer.concat(parts).toString("utf8"))
      })
      hook.stdin.end(JSON.stringify(event))
    } catch {
      resolve("")
    }
  })

const context = (printed) => {
  try {
    return JSON.parse(printed).additionalContext ?? ""
  } catch {
    return ""
  }
}

export const Reverie = async ({ directory }) => {
  const parents = new Map() // a subagent's session: the one that it works for
  const said = new Map() // a session: the last words of its agent
  const failed = new Set() // calls whose failure was told
  const started = new Set() // subagents' sessions that were given their task

  const event = (name, session, fields) => {
    const parent = parents.get(session)
    const whose = parent ? { session_id: parent, agent_id: session } : { session_id: session }
    return { hook_event_name: name, ...whose, cwd: directory, ...fields }
  }

  const heard = async ({ event: { type, properties } }) => {
    const session = properties?.sessionID ?? properties?.info?.id
    if (type === "session.created") {
      if (properties.info.parentID) parents.set(session, properties.info.parentID)
      else await carried(event(type, session, { source: "startup" }))
    } else if (type === "session.idle") {
      const ended = parents.has(session) ? "SubagentStop" : type
      await carried(event(ended, session, { last_assistant_message: said.get(session) ?? "" }))
      said.delete(session)
    } else if (type === "session.compacted" || type === "session.deleted") {
      if (!parents.has(session)) await carried(event(type, session, {}))
      parents.delete(session)
    } else if (type === "message.part.updated") {
      const { part } = properties
      if (part?.type !== "tool" || part.state?.status !== "error" || failed.has(part.callID)) return
      failed.add(part.callID)
      const { input, error } = part.state
      const call = { tool_name: part.tool, tool_use_id: part.callID, tool_input: input, error }
      await carried(event("tool.error", part.sessionID, call))
    }
  }

  return {
    event: async (told) => {
      try {
        await heard(told)
      } catch {}
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
      if (tool !== "task") return
      await carried(event("PreToolUse", sessionID, { tool_name: tool, tool_use_id: callID, tool_input: output.args }))
    },
    "chat.message": async ({ sessionID, messageID, agent }, output) => {
      try {
        const written = output.parts.filter((part) => part.type === "text" && !part.synthetic)
        if (written.length === 0) return
        const prompt = written.map((part) => part.text).join("\n")
        const given = { prompt, prompt_id: messageID ?? output.message.id }
        const starts = parents.has(sessionID)
        if (starts && started.has(sessionID)) return
        if (starts) started.add(sessionID)
        const name = starts ? "SubagentStart" : "chat.message"
        const text = context(await carried(event(name, sessionID, starts ? { agent_type: agent } : given)))
        const last = output.parts[output.parts.length - 1]
        // Parts are kept in the order of their ids: this one comes after the last.
        if (text) output.parts.push({ ...written[0], id: last.id + "0", text, synthetic: true })
      } catch {}
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      try {
        const code = output.metadata?.exit
        const answered = code ? { output: output.output, exit_code: code } : output.output
        const call = { tool_name: tool, tool_use_id: callID, tool_input: args, tool_response: answered }
        const text = context(await carried(event("tool.execute.after", sessionID, call)))
        if (text) output.output += "\n\n" + text
      } catch {}
    },
    "experimental.text.complete": async ({ sessionID }, output) => {
      said.set(sessionID, output.text)
    },
    "experimental.session.compacting": async ({ sessionID }, output) => {
      try {
        const text = await carried(event("experimental.session.compacting", sessionID, { trigger: "auto" }))
        if (text) output.context.push(text)
      } catch {}
    },
  }
}

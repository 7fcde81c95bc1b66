--- Paints the server's inlay hints, in a namespace of its own.
---
--- Neovim 0.11 can paint them too, but (1) after `workspace/inlayHint/refresh` a redraw
--- that comes before the answer marks the lines as painted for this version of the
--- buffer, and the new hints stay unpainted until the next edit; (2) with two servers the
--- second answer of a version is not painted for the same reason; (3) it asks for the
--- whole file. Here the visible lines are asked for, what is answered is painted, and a
--- hint goes away in the moment its line changes.

local M = {}

local METHOD = "textDocument/inlayHint"
local namespace = vim.api.nvim_create_namespace("reverie.hints")
local group = vim.api.nvim_create_augroup("reverie.hints", { clear = true })

local PAUSE = 60 -- milliseconds: scrolling asks once when it pauses

---@type table<integer, uv.uv_timer_t>
local timers = {}

--- The lines of the buffer that some window shows, from 0, end exclusive.
---@param buffer integer
---@return integer? first, integer? last
local function visible(buffer)
  local first, last
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    local top, bottom = vim.fn.line("w0", window), vim.fn.line("w$", window)
    first = math.min(first or top, top)
    last = math.max(last or bottom, bottom)
  end
  if not first then
    return nil
  end
  return first - 1, math.min(last, vim.api.nvim_buf_line_count(buffer))
end

--- Ask for the hints of what is visible.
---@param server vim.lsp.Client
---@param buffer integer
local function ask(server, buffer)
  if not vim.api.nvim_buf_is_loaded(buffer) or not vim.lsp.buf_is_attached(buffer, server.id) then
    return
  end
  local first, last = visible(buffer)
  if not first then
    return
  end
  server:request(METHOD, {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    range = { start = { line = first, character = 0 }, ["end"] = { line = last, character = 0 } },
  }, nil, buffer)
end

--- Ask soon, and once for several reasons.
---@param server vim.lsp.Client
---@param buffer integer
local function ask_soon(server, buffer)
  local timer = timers[buffer] or assert(vim.uv.new_timer())
  timers[buffer] = timer
  timer:start(PAUSE, 0, vim.schedule_wrap(function()
    ask(server, buffer)
  end))
end

---@param buffer integer
local function forget(buffer)
  local timer = timers[buffer]
  timers[buffer] = nil
  if timer and not timer:is_closing() then
    timer:close()
  end
end

--- The handler of an answer: paint it.
---@param result lsp.InlayHint[]?
---@param context lsp.HandlerContext
function M.on_hints(problem, result, context)
  local buffer = context.bufnr
  if problem or not result or not buffer or not vim.api.nvim_buf_is_loaded(buffer) then
    return
  end
  if context.version and vim.lsp.util.buf_versions[buffer] ~= context.version then
    return -- another answer is under way
  end
  local range = context.params.range
  vim.api.nvim_buf_clear_namespace(buffer, namespace, range.start.line, range["end"].line + 1)
  for _, hint in ipairs(result) do
    local label = hint.label
    if hint.position.line < vim.api.nvim_buf_line_count(buffer) then
      vim.api.nvim_buf_set_extmark(buffer, namespace, hint.position.line, 0, {
        virt_text = { { " " .. label, "ReverieHint" } },
        virt_text_pos = "eol",
        hl_mode = "combine",
        invalidate = true,
        undo_restore = false,
      })
    end
  end
end

--- The handler of the server's wish to be asked again.
---@param context lsp.HandlerContext
function M.on_refresh(_, _, context)
  local server = vim.lsp.get_client_by_id(context.client_id)
  if server then
    for buffer in pairs(server.attached_buffers) do
      ask_soon(server, buffer)
    end
  end
  return vim.NIL
end

--- The hints painted in a buffer: line (from 0) and text of each.
---@param buffer integer
---@return { line: integer, text: string }[]
function M.painted(buffer)
  local marks = vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, -1, { details = true })
  return vim.tbl_map(function(mark)
    return { line = mark[2], text = vim.trim(mark[4].virt_text[1][1]) }
  end, marks)
end

--- Keep the hints of this buffer painted.
---@param server vim.lsp.Client
---@param buffer integer
function M.attach(server, buffer)
  vim.api.nvim_set_hl(0, "ReverieHint", { link = "LspInlayHint", default = true })
  vim.api.nvim_buf_attach(buffer, false, {
    on_lines = function(_, _, _, first, _, last)
      if not timers[buffer] then
        return true -- detached
      end
      vim.api.nvim_buf_clear_namespace(buffer, namespace, first, last)
    end,
    on_reload = function()
      ask_soon(server, buffer)
    end,
    on_detach = function()
      forget(buffer)
    end,
  })
  vim.api.nvim_clear_autocmds({ group = group, buffer = buffer })
  vim.api.nvim_create_autocmd("BufWinEnter", {
    group = group,
    buffer = buffer,
    callback = function()
      ask_soon(server, buffer)
    end,
  })
  vim.api.nvim_create_autocmd("LspNotify", {
    group = group,
    buffer = buffer,
    callback = function(event)
      local method = event.data.method
      if event.data.client_id == server.id and vim.startswith(method, "textDocument/did") then
        ask_soon(server, buffer)
      end
    end,
  })
  vim.api.nvim_create_autocmd("LspDetach", {
    group = group,
    buffer = buffer,
    callback = function(event)
      if event.data.client_id == server.id then
        forget(buffer)
        vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
      end
    end,
  })
  ask_soon(server, buffer)
end

-- Scrolling shows other lines of every window it moves.
vim.api.nvim_create_autocmd("WinScrolled", {
  group = group,
  callback = function()
    for _, server in ipairs(vim.lsp.get_clients({ name = "reverie" })) do
      for buffer in pairs(server.attached_buffers) do
        if timers[buffer] then
          ask_soon(server, buffer)
        end
      end
    end
  end,
})

return M

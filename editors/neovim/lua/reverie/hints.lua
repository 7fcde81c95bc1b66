--- Paints the server's inlay hints, in a namespace of its own.
---
--- Neovim 0.11 can paint them too, but (1) after `workspace/inlayHint/refresh` a redraw
--- that comes before the answer marks the lines as painted for this version of the
--- buffer, and the new hints stay unpainted until the next edit; (2) with two servers the
--- second answer of a version is not painted for the same reason; (3) it asks for the
--- whole file; (4) a hint that is longer than the window loses its end without a sign.
--- Here the visible lines are asked for, what is answered is painted, cut to each window, and
--- a hint goes away in the moment its line changes.

local M = {}

local METHOD = "textDocument/inlayHint"
local places = vim.api.nvim_create_namespace("reverie.hints") -- marks: where hints stand
local painting = vim.api.nvim_create_namespace("reverie.hints.painting")
local group = vim.api.nvim_create_augroup("reverie.hints", { clear = true })

local STALE = " (stale)" -- at the end of a hint: what the memory is about changed
local PAUSE = 60 -- milliseconds: scrolling asks once when it pauses
local GAP = 2 -- cells between the line and its hint; the first is Neovim's
local SHORTEST = 8 -- cells of words; with less room only the mark is painted

--- The hints of each buffer, by their marks.
---@type table<integer, table<integer, string>>
local labels = {}

--- The line being typed on, from 0; it shows no hint.
---@type { buffer?: integer, row?: integer }
local typed = {}

local on = true -- the server gives hints

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
  timers[buffer], labels[buffer] = nil, nil
  if timer and not timer:is_closing() then
    timer:close()
  end
end

--- Have lines painted anew.
---@param buffer integer
---@param first integer
---@param last integer exclusive
local function redraw(buffer, first, last)
  if vim.api.nvim_buf_is_loaded(buffer) then
    vim.api.nvim__redraw({ buf = buffer, range = { first, last }, flush = false })
  end
end

--- The rows with a hint among some lines.
---@param buffer integer
---@param first integer
---@param last integer inclusive
---@return { [1]: integer, [2]: integer }[] marks: id and row
local function marks(buffer, first, last)
  local found = vim.api.nvim_buf_get_extmarks(buffer, places, { first, 0 }, { last, -1 }, { details = true })
  return vim.tbl_filter(function(mark)
    return not mark[4].invalid and (labels[buffer] or {})[mark[1]] ~= nil
  end, found)
end

---@param buffer integer
---@param first integer
---@param last integer exclusive
local function clear(buffer, first, last)
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, places, { first, 0 }, { last, 0 }, {})) do
    if mark[2] < last then
      labels[buffer][mark[1]] = nil
      vim.api.nvim_buf_del_extmark(buffer, places, mark[1])
    end
  end
  redraw(buffer, first, last)
end

--- The handler of an answer: paint it.
---@param result lsp.InlayHint[]?
---@param context lsp.HandlerContext
function M.on_hints(problem, result, context)
  local buffer = context.bufnr
  if problem or not result or not buffer or not labels[buffer] then
    return
  end
  if context.version and vim.lsp.util.buf_versions[buffer] ~= context.version then
    return -- another answer is under way
  end
  local range, count = context.params.range, vim.api.nvim_buf_line_count(buffer)
  clear(buffer, range.start.line, math.min(range["end"].line + 1, count))
  for _, hint in ipairs(result) do
    local row = hint.position.line
    if row < count then
      local mark = vim.api.nvim_buf_set_extmark(buffer, places, row, 0, { invalidate = true, undo_restore = false })
      labels[buffer][mark] = hint.label --[[@as string]]
    end
  end
end

--- The label in so many cells: whole, with its end cut, or its first character alone.
---@param label string
---@param room integer
---@return string
function M.cut(label, room)
  if vim.fn.strdisplaywidth(label) <= room then
    return label
  elseif room < SHORTEST then
    return room > 0 and vim.fn.strcharpart(label, 0, 1) or ""
  end
  return vim.fn.trim(vim.fn.printf("%." .. room - 1 .. "S", label), " ", 2) .. "…"
end

--- The cells behind a line's last character in a window, of its last row where it is wrapped.
---@param window integer
---@param buffer integer
---@param row integer
---@return integer
local function room(window, buffer, row)
  local info = vim.fn.getwininfo(window)[1]
  local width = info.width - info.textoff
  local used = vim.fn.virtcol({ row + 1, "$" }, false, window) - 1
  if not vim.wo[window].wrap then
    used = math.max(0, used - info.leftcol)
  elseif used > width then
    used = (used - 1) % width + 1
  end
  -- What others write behind the line comes first.
  local options = { type = "virt_text", details = true }
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, -1, { row, 0 }, { row, -1 }, options)) do
    if mark[4].virt_text_pos == "eol" then
      for _, piece in ipairs(mark[4].virt_text) do
        used = used + vim.fn.strdisplaywidth(piece[1])
      end
      used = used + 1
    end
  end
  return width - used - GAP
end

--- The highlight group of a hint.
---@param label string
---@return string
local function look(label)
  return vim.endswith(label, STALE) and "ReverieStale" or "ReverieHint"
end

---@type table<integer, string> the labels of the window being redrawn, by their rows
local rows = {}

vim.api.nvim_set_decoration_provider(painting, {
  on_win = function(_, _, buffer, top, bottom)
    rows = {}
    if not labels[buffer] or not next(labels[buffer]) then
      return false
    end
    for _, mark in ipairs(marks(buffer, top, bottom)) do
      rows[mark[2]] = labels[buffer][mark[1]]
    end
    return next(rows) ~= nil
  end,
  on_line = function(_, window, buffer, row)
    if rows[row] and not (typed.buffer == buffer and typed.row == row) then
      vim.api.nvim_buf_set_extmark(buffer, painting, row, 0, {
        virt_text = { { " " .. M.cut(rows[row], room(window, buffer, row)), look(rows[row]) } },
        virt_text_pos = "eol",
        hl_mode = "combine",
        ephemeral = true,
        priority = 8192, -- behind what others write there
      })
    end
  end,
})

--- The user types on this line, or on none.
---@param buffer? integer
---@param row? integer
local function typing(buffer, row)
  local before = typed
  if before.buffer ~= buffer or before.row ~= row then
    typed = { buffer = buffer, row = row }
    for _, place in ipairs({ before, typed }) do
      if labels[place.buffer] then
        redraw(place.buffer, place.row, place.row + 1)
      end
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

--- The hints of a buffer: line (from 0) and text of each.
---@param buffer integer
---@return { line: integer, text: string }[]
function M.painted(buffer)
  buffer = buffer == 0 and vim.api.nvim_get_current_buf() or buffer
  return vim.tbl_map(function(mark)
    return { line = mark[2], text = labels[buffer][mark[1]] }
  end, marks(buffer, 0, -1))
end

--- The server gives hints from now on, or none.
---@param now boolean
function M.switched(now)
  on = now
end

---@return boolean
function M.are_on()
  return on
end

--- Keep the hints of this buffer painted.
---@param server vim.lsp.Client
---@param buffer integer
function M.attach(server, buffer)
  vim.api.nvim_set_hl(0, "ReverieHint", { link = "LspInlayHint", default = true })
  vim.api.nvim_set_hl(0, "ReverieStale", { link = "DiagnosticWarn", default = true })
  labels[buffer] = labels[buffer] or {}
  vim.api.nvim_buf_attach(buffer, false, {
    on_lines = function(_, _, _, first, _, last)
      if not timers[buffer] then
        return true -- detached
      end
      clear(buffer, first, last)
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
        clear(buffer, 0, vim.api.nvim_buf_line_count(buffer))
        forget(buffer)
      end
    end,
  })
  ask_soon(server, buffer)
end

vim.api.nvim_create_autocmd({ "ModeChanged", "CursorMovedI" }, {
  group = group,
  callback = function()
    if vim.api.nvim_get_mode().mode:find("^[iR]") then
      typing(vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0)[1] - 1)
    else
      typing()
    end
  end,
})

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

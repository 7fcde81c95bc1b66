-- Run by test_neovim.py inside a real Neovim: does what a user does and writes down what
-- is then painted. Arguments come in the environment.

local said = {}

local function wait(what, condition)
  if not vim.wait(60000, condition, 20) then
    said.missed = what
    error("waited in vain: " .. what)
  end
end

local function painted()
  return require("reverie.hints").painted(0)
end

local function labels()
  return vim.tbl_map(function(hint)
    return { hint.line, hint.text }
  end, painted())
end

--- What the screen shows in some row of the window, from 0.
local function shown(row)
  vim.cmd("redraw!")
  local cells = {}
  for column = 1, vim.o.columns do
    cells[column] = vim.fn.screenstring(row + 1, column)
  end
  return (table.concat(cells):gsub("%s+$", ""))
end

local function run()
  vim.cmd("filetype on") -- off without a vimrc
  require("reverie").setup({
    cmd = vim.json.decode(vim.env.REVERIE_TEST_COMMAND),
    settings = { typingQuietMs = 100 },
    root_markers = {},
  })
  said.statusline_before = require("reverie").statusline()
  vim.cmd.edit(vim.env.REVERIE_TEST_FILE)
  vim.cmd("Reverie search")
  said.early = { vim.fn.execute("messages"), require("reverie").statusline() }
  wait("the status", function()
    return require("reverie").status().state == "ready"
  end)
  said.statusline = require("reverie").statusline()
  wait("the hint", function()
    return #painted() == 1
  end)
  said.first = labels()

  -- Redraws between a refresh and its answer must not lose the hint (neovim 0.11).
  for _ = 1, 20 do
    vim.cmd("redraw!")
    vim.wait(10)
  end
  said.redrawn = labels()

  -- It is cut to the window, which may be shared with signs and others' texts.
  said.wide = shown(1)
  vim.o.columns = 40
  said.narrow = shown(1)
  vim.wo.signcolumn = "yes"
  said.beside_signs = shown(1)
  vim.wo.signcolumn = "auto"
  local others = vim.api.nvim_create_namespace("others")
  vim.api.nvim_buf_set_extmark(0, others, 1, 0, { virt_text = { { "!!" } } })
  said.beside_others = shown(1)
  vim.api.nvim_buf_clear_namespace(0, others, 0, -1)
  vim.o.columns = 30
  said.hardly = shown(1)
  vim.o.columns = 80
  local cut = require("reverie.hints").cut
  said.cut = { cut("· 税率は整数", 9), cut("· 税率は整数", 12), cut("· e\204\129tat de la banque", 9), cut("· x", 0) }

  -- While its line is typed on it is not painted, before the first key too.
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  said.typing = {}
  ReverieTestLook = function()
    table.insert(said.typing, shown(1))
  end
  local look = "<Cmd>lua ReverieTestLook()<CR>"
  vim.api.nvim_feedkeys(vim.keycode("i" .. look .. "<Esc>" .. look), "xt", false)

  -- Typing on the line takes the hint away at once.
  vim.api.nvim_buf_set_text(0, 1, 2, 1, 5, { "that" })
  said.typed = labels()
  wait("the hint after typing", function()
    return #painted() == 1
  end)
  vim.api.nvim_buf_set_lines(0, 1, 2, false, {})
  said.deleted = labels()
  vim.cmd.undo()
  wait("the hint of the line that is back", function()
    return #painted() == 1
  end)

  vim.api.nvim_buf_set_lines(0, 0, 0, false, { "# one", "# two" })
  wait("the moved hint", function()
    return vim.deep_equal(labels(), { { 3, said.first[1][2] } })
  end)
  said.moved = labels()

  vim.api.nvim_win_set_cursor(0, { 4, 9 })
  local parameters = vim.lsp.util.make_position_params(0, "utf-16")
  local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", parameters, 5000)
  said.hover = vim.tbl_values(answers)[1].result.contents.value

  -- A code action, chosen as a user does, carried out by the server.
  -- It is the memory's, which asks what to do about it.
  local offered
  vim.ui.select = function(items, options, choose)
    if options.kind == "lsp_message" then
      said.choices = vim.tbl_map(options.format_item, items)
      return choose(items[2])
    end
    offered = vim.tbl_map(function(item)
      return item.action.title
    end, items)
    choose(items[1])
  end
  vim.lsp.buf.code_action()
  wait("the hint muted", function()
    return #painted() == 0
  end)
  said.actions = offered

  vim.ui.input = function(options, done)
    said.question = options.prompt
    done("Never in cents.")
  end
  vim.cmd("1,1Reverie remember")
  wait("remembered", function()
    return vim.fn.execute("messages"):find("Remembered", 1, true)
  end)

  -- Search: words are asked for, or given.
  vim.cmd.enew()
  vim.ui.input = function(_, done)
    done("three times")
  end
  vim.cmd("Reverie search")
  wait("the page of what was found", function()
    return vim.api.nvim_buf_get_name(0) == "reverie://recall/three%20times.md"
      and vim.api.nvim_buf_line_count(0) > 1
  end)
  said.found = vim.api.nvim_buf_get_lines(0, 0, 1, false)[1]

  vim.cmd.edit(vim.env.REVERIE_TEST_FILE)
  vim.cmd("Reverie about")
  wait("the page about the file", function()
    return vim.startswith(vim.api.nvim_buf_get_name(0), "reverie://file/")
      and vim.api.nvim_buf_line_count(0) > 2
  end)
  said.about_name = vim.api.nvim_buf_get_name(0)
  said.about = vim.api.nvim_buf_get_lines(0, 0, 1, false)

  vim.cmd("checkhealth reverie")
  said.health = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  said.completed = vim.fn.getcompletion("Reverie sea", "cmdline")
  said.not_completed = vim.fn.getcompletion("Reverie remember d", "cmdline")
  vim.cmd("Reverie")
  vim.cmd("Reverie serch")
  said.messages = vim.fn.execute("messages")
end

local fine, problem = xpcall(run, debug.traceback)
if not fine then
  said.problem = problem
  said.messages = vim.fn.execute("messages")
  said.painted = painted()
end
vim.fn.writefile({ vim.json.encode(said) }, vim.env.REVERIE_TEST_SAID)
vim.cmd("qall!")

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

local function run()
  vim.cmd("filetype on") -- off without a vimrc
  require("reverie").setup({
    cmd = vim.json.decode(vim.env.REVERIE_TEST_COMMAND),
    settings = { typingQuietMs = 100 },
    root_markers = {},
  })
  said.statusline_before = require("reverie").statusline()
  vim.cmd.edit(vim.env.REVERIE_TEST_FILE)
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

  -- Typing on the line takes the hint away at once.
  vim.api.nvim_buf_set_text(0, 1, 2, 1, 5, { "that" })
  said.typed = labels()
  wait("the hint after typing", function()
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

  vim.cmd("1,1Reverie remember")
  wait("remembered", function()
    return vim.fn.execute("messages"):find("Remembered", 1, true)
  end)

  -- A plan is chosen from a list, done, and taken back.
  vim.ui.select = function(items, options, choose)
    said.plans = vim.tbl_map(options.format_item, items)
    choose(items[1])
  end
  vim.cmd("Reverie apply")
  wait("the plan", function()
    return vim.fn.execute("messages"):find("Plan 7 is done", 1, true)
  end)
  vim.cmd("Reverie undo 7")
  wait("the plan taken back", function()
    return vim.fn.execute("messages"):find("Taken back: 1 memory as before", 1, true)
  end)

  -- A dream is seen in the statusline, and stopped.
  vim.cmd("Reverie dream")
  wait("the dream", function()
    return require("reverie").dreaming()
  end)
  said.dreaming = require("reverie").statusline()
  vim.cmd("Reverie stop")
  wait("the end of the dream", function()
    return not require("reverie").dreaming()
  end)
  wait("the word about it", function()
    return vim.fn.execute("messages"):find("stops at its next checkpoint", 1, true)
  end)
  said.woken = require("reverie").statusline()
  vim.cmd("Reverie dreamt")
  wait("the dream's page", function()
    return vim.api.nvim_buf_get_name(0) == "reverie://dream/3.md"
      and vim.api.nvim_buf_line_count(0) > 5
  end)
  said.dreamt = vim.api.nvim_buf_get_lines(0, 0, 1, false)

  vim.cmd.enew() -- also from a buffer without a server
  vim.cmd("Reverie search three times")
  wait("the search", function()
    return #vim.fn.getqflist() == 1
  end)
  said.found = vim.fn.getqflist()[1].text
  vim.cmd("cfirst")
  wait("the page", function()
    return vim.api.nvim_buf_line_count(0) > 5
  end)
  said.page = { vim.api.nvim_buf_get_name(0), vim.api.nvim_buf_get_lines(0, 0, 3, false) }
end

local fine, problem = xpcall(run, debug.traceback)
if not fine then
  said.problem = problem
  said.messages = vim.fn.execute("messages")
  said.painted = painted()
end
vim.fn.writefile({ vim.json.encode(said) }, vim.env.REVERIE_TEST_SAID)
vim.cmd("qall!")

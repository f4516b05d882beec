"""What tests wait for: the answer to all that was done, however late it comes."""

from tests.browser.driver import upload


def test_a_file_that_takes_long_to_arrive_is_waited_for(open_page, settle):
    page = open_page("train")

    def late(route):
        settle(page)  # all else is answered
        route.continue_()

    page.route("**/_stcore/upload_file/**", late, times=1)
    upload(page, "late.txt", b"low lower lowest")
    settle(page)
    assert page.get_by_text("“late.txt”: 16 characters").count() == 1
